//! The aspiration window: a window around an expected value, widened when it fails.

/// Windows at least so wide are opened to the end.
const WIDE: i32 = 600;
/// Below this depth values are found with the full window, as no earlier one is worth aspiring to.
const NARROW_DEPTH: u16 = 5;

/// An open interval of raw scores, within a limit on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AspirationWindow {
    alpha: i32,
    beta: i32,
    width: i32,
    limit: i32,
}

impl AspirationWindow {
    /// The window for a search of that depth, `width` to either side of the value found before; the full window without
    /// an earlier value.
    pub fn new(depth: u16, guess: Option<i32>, width: i32, limit: i32) -> Self {
        let (alpha, beta) = match guess.filter(|_| depth >= NARROW_DEPTH) {
            Some(guess) => (guess - width, guess + width),
            None => (-limit, limit),
        };
        Self {
            alpha: alpha.max(-limit),
            beta: beta.min(limit),
            width,
            limit,
        }
    }

    /// The lower end.
    pub const fn alpha(&self) -> i32 {
        self.alpha
    }

    /// The upper end.
    pub const fn beta(&self) -> i32 {
        self.beta
    }

    /// Opens it downwards: the value is `score` at most.
    pub fn fail_low(&mut self, score: i32) {
        let room = self.widen();
        self.beta = i32::midpoint(self.alpha, self.beta);
        self.alpha = (score - room).max(-self.limit);
    }

    /// Opens it upwards: the value is `score` at least.
    pub fn fail_high(&mut self, score: i32) {
        let room = self.widen();
        self.beta = (score + room).min(self.limit);
    }

    fn widen(&mut self) -> i32 {
        self.width *= 3;
        if self.width > WIDE {
            2 * self.limit
        } else {
            self.width
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AspirationWindow;

    #[test]
    fn it_opens_where_the_value_was_missed() {
        let mut window = AspirationWindow::new(5, Some(100), 12, 32_000);
        assert_eq!((window.alpha(), window.beta()), (88, 112));
        window.fail_low(80);
        assert_eq!((window.alpha(), window.beta()), (44, 100));
        window.fail_high(130);
        assert_eq!((window.alpha(), window.beta()), (44, 238));
        window.fail_high(240);
        window.fail_high(600);
        assert_eq!((window.alpha(), window.beta()), (44, 32_000));
    }

    #[test]
    fn it_is_full_where_no_value_is_worth_aspiring_to() {
        for (depth, guess) in [(4, Some(0)), (9, None)] {
            let window = AspirationWindow::new(depth, guess, 12, 32_000);
            assert_eq!((window.alpha(), window.beta()), (-32_000, 32_000));
        }
    }
}
