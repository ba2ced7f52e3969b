//! Files that several runs may want to write.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::Path;

use super::ToolError;

/// Keeps other runs from claiming a file for as long as it is open here. What is no regular file many may write, and
/// where the system keeps no such claims, nobody is kept out.
///
/// # Errors
/// Another run has claimed it.
pub fn claim(path: &Path, file: &File) -> Result<(), ToolError> {
    let is_regular = file.metadata().is_ok_and(|known| known.is_file());
    if is_regular && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(ToolError::InUse(path.to_owned()));
    }
    Ok(())
}

/// Replaces a file in one step, so that a reader or an interruption never meets half of it.
///
/// Anything but a regular file, such as a pipe, is written to as it is.
///
/// # Errors
/// The file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), ToolError> {
    replaced(path, bytes).map(drop)
}

/// The same; the new file is claimed before it takes the old one's place.
pub(super) fn replaced(path: &Path, bytes: &[u8]) -> Result<Option<File>, ToolError> {
    let is_regular = fs::metadata(path).map_or(true, |known| known.is_file());
    if !is_regular {
        fs::write(path, bytes).map_err(ToolError::file(path))?;
        return Ok(None);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let failed = ToolError::file(path);
    let mut file = File::create(&part).map_err(&failed)?;
    claim(path, &file)?;
    let mut write = || {
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&part, path)
    };
    write().map_err(failed)?;
    Ok(Some(file))
}
