// Opens pages of cc2s in Chromium, as a reader does: node pages.js MODULES EXPLAIN.html ANNOTATE.html PICTURES
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const [modules, explained, annotated, pictures] = process.argv.slice(2);
const { chromium } = require(path.resolve(modules, "playwright-core"));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// Whatever has not happened after so many milliseconds will not, however busy the machine is.
const PATIENCE = 300_000;

// A page, and everything it complains of or asks others for.
async function open(context, file) {
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => { if (message.type() === "error") page.complaints.push(message.text()); });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) page.complaints.push(request.url()); });
  await page.goto("file://" + path.resolve(file));
  return page;
}

const picture = (page, name) => page.screenshot({ path: path.join(pictures, name), fullPage: true });

// Where the men of a board stand, drawn by square: letter, side, corner.
const men = (board) => board.evaluate((svg) => [...svg.querySelectorAll("use.w, use.b")]
  .map((man) => [man.getAttribute("href"), man.getAttribute("class"), man.getAttribute("x"), man.getAttribute("y")].join(" ")).sort());

// The same board from the other side.
const turned = (list) => list.map((man) => {
  const [href, side, x, y] = man.split(" ");
  return [href, side, 315 - x, 315 - y].join(" ");
}).sort();

async function widthFits(page, width) {
  await page.setViewportSize({ width, height: 800 });
  const inner = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(inner <= width, `${inner} wide on a screen of ${width}`);
}

async function explain(context) {
  const page = await open(context, explained);
  const board = page.locator("[data-board] .board");
  const before = await men(board);
  assert.ok(before.length >= 2 && before.length <= 32);
  await page.getByRole("button", { name: "Flip the board" }).click();
  assert.deepEqual(await men(board), turned(before));
  await page.getByRole("button", { name: "Flip the board" }).click();
  assert.deepEqual(await men(board), before);

  // By mouse and by keyboard.
  const branch = page.locator(".tree details details").first();
  const summary = branch.locator("summary").first();
  assert.equal(await branch.evaluate((details) => details.open), false);
  await summary.click();
  assert.equal(await branch.evaluate((details) => details.open), true);
  assert.ok(await branch.locator("li").first().isVisible());
  await summary.press("Enter");
  assert.equal(await branch.evaluate((details) => details.open), false);
  await summary.press("Space");
  assert.equal(await branch.evaluate((details) => details.open), true);
  await page.getByRole("button", { name: "Open all" }).click();
  assert.equal(await page.locator(".tree details:not([open])").count(), 0);
  await picture(page, "explain-open.png");

  // A board beside the leaf that is pointed at, or has the focus.
  const leaf = page.locator(".leaf [data-men]").first();
  await leaf.hover();
  assert.ok(await page.locator("#preview .board").isVisible());
  await page.mouse.move(0, 0);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#preview").isHidden());
  await leaf.focus();
  const shown = await men(page.locator("#preview .board"));
  const letters = (await leaf.getAttribute("data-men")).replace(/[^a-z]/gi, "");
  assert.equal(shown.length, letters.length);
  assert.equal(await leaf.getAttribute("role"), "button");
  const words = await page.locator("#preview .board").getAttribute("aria-label");
  assert.match(words, /^White: K[a-h][1-8][^.]*\. Black: K[a-h][1-8][^.]*\.$/);
  assert.equal(words.match(/[a-h][1-8]/g).length, letters.length);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#preview").isHidden());
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("#preview .board").isVisible());
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Close all" }).click();
  assert.equal(await page.locator(".tree details[open]").count(), 0);
  const badges = await page.locator(".leaf .badge").allTextContents();
  assert.ok(badges.includes("1") && badges.includes("2"));
  assert.ok(await page.locator(".conspirators li").count() >= 2);
  assert.equal(await page.locator(".plot polyline").count(), 3);
  await page.reload();
  await picture(page, "explain.png");
  await widthFits(page, 375);
  await picture(page, "explain-phone.png");
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.getByRole("button", { name: "Open all", includeHidden: true }).isHidden());
  assert.ok(await page.locator(".tree details:not([open])").count() > 0);
  await page.pdf({ path: path.join(pictures, "explain.pdf"), format: "A4" });
  assert.equal(await page.locator("details:not([open])").count(), 0);
  assert.deepEqual(page.complaints, []);
}

async function annotate(context) {
  const page = await open(context, annotated);
  const game = page.locator("[data-game]").first();
  const board = game.locator(".viewer .board");
  const said = () => game.locator("output").textContent();
  const start = await men(board);
  assert.equal(start.length, 32);
  await game.getByRole("button", { name: "Next" }).click();
  assert.match(await said(), /^1\. e4 /);
  assert.equal(await game.locator("[aria-current]").textContent(), "e4");
  assert.match(await board.getAttribute("aria-label"), /^White: Ke1 Qd1 .* Black: Ke8 Qd8 /);
  const viewer = game.getByRole("group", { name: /^Board/ });
  assert.equal(await viewer.count(), 1);
  await viewer.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await said(), /^1\.\.\. e5 /);
  await page.keyboard.press("End");
  assert.match(await said(), /mate$/);
  const last = await men(board);
  await game.getByRole("button", { name: "Flip" }).click();
  assert.deepEqual(await men(board), turned(last));
  await page.keyboard.press("Home");
  assert.equal(await said(), "Start");
  await game.getByRole("button", { name: "Flip" }).click();
  assert.deepEqual(await men(board), start);

  // Points of the curve lead to their moves.
  const points = game.locator(".plot a");
  assert.equal(await points.count(), await game.locator(".moves .move").count());
  await game.locator(".plot a.bad").first().click();
  const current = await game.locator("[aria-current]").textContent();
  assert.match(current, /[?!]/);
  assert.ok(await game.locator(".moments .board").count() >= 1);
  assert.equal(await game.locator("tbody tr").count(), 2);
  const second = page.locator("[data-game]").nth(1);
  await second.locator("summary").first().press("Enter");
  assert.ok(await second.locator(".board").first().isVisible());
  await second.locator("summary").first().click();
  await picture(page, "annotate.png");
  await widthFits(page, 375);
  await picture(page, "annotate-phone.png");
  await page.emulateMedia({ media: "print" });
  assert.ok(await game.locator(".keys").isHidden());
  await page.pdf({ path: path.join(pictures, "annotate.pdf"), format: "A4" });
  assert.deepEqual(page.complaints, []);
}

async function main() {
  fs.mkdirSync(pictures, { recursive: true });
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "cc2s-pages-"));
  try {
    for (const colorScheme of ["light", "dark"]) {
      const context = await chromium.launchPersistentContext(path.join(profile, colorScheme), {
        executablePath: process.env.CC2S_CHROMIUM || "/usr/bin/chromium",
        headless: true, timeout: PATIENCE, args: FLAGS, colorScheme, viewport: { width: 1100, height: 800 },
      });
      context.setDefaultTimeout(PATIENCE);
      try {
        await explain(context);
        await annotate(context);
      } finally {
        await context.close();
      }
    }
  } finally {
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log("pages: all well");
}

main().catch((error) => { console.error(error); process.exit(1); });
