"use strict";
// Boards: drawn anew to turn them, to step through a game, and beside what the reader points at.
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

// Corner of a square counted from a1 along the ranks.
function corner(square, flipped) {
  const file = square % 8, rank = Math.floor(square / 8);
  return flipped ? [(7 - file) * 45, rank * 45] : [file * 45, (7 - rank) * 45];
}

function squareOf(name) {
  return name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
}

function draw(board, men, last, flipped) {
  board.replaceChildren();
  board.setAttribute("aria-label", inWords(men));
  const marked = last ? [squareOf(last.slice(0, 2)), squareOf(last.slice(2, 4))] : [];
  element("use", { href: "#S", class: "s" }, board);
  for (const square of marked) {
    const [x, y] = corner(square, flipped);
    element("rect", { class: "m", x, y, width: 45, height: 45 }, board);
  }
  for (let index = 0; index < 8; index++) {
    const [x] = corner(index, flipped), [, y] = corner(8 * index, flipped);
    element("text", { x: x + 37, y: 357 }, board).textContent = "abcdefgh"[index];
    element("text", { x: 2, y: y + 10 }, board).textContent = index + 1;
  }
  men.split("/").forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { file += Number(letter); continue; }
      const [x, y] = corner(8 * (7 - down) + file, flipped);
      const side = letter === letter.toUpperCase() ? "w" : "b";
      element("use", { href: "#" + letter.toUpperCase(), class: side, x, y }, board);
      file += 1;
    }
  });
}

function newBoard(parent) {
  return element("svg", { class: "board", viewBox: "0 0 360 360", role: "img" }, parent);
}

// The men of a position in words, as the board's label.
function inWords(men) {
  const sides = { White: [], Black: [] };
  men.split("/").forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { file += Number(letter); continue; }
      const name = letter.toUpperCase();
      const side = letter === name ? sides.White : sides.Black;
      side.push({ name, text: (name === "P" ? "" : name) + "abcdefgh"[file] + (8 - down) });
      file += 1;
    }
  });
  const words = (side) => side.sort((one, other) => "KQRBNP".indexOf(one.name) - "KQRBNP".indexOf(other.name))
    .map((man) => man.text).join(" ");
  return `White: ${words(sides.White)}. Black: ${words(sides.Black)}.`;
}

// The small board beside a line that is pointed at, or that has the focus.
const preview = document.getElementById("preview");
let turned = document.querySelector("[data-bottom]")?.dataset.bottom === "black";

function show(event) {
  const target = event.target.closest?.("[data-men]");
  if (!target) return;
  preview.replaceChildren();
  draw(newBoard(preview), target.dataset.men, target.dataset.last, turned);
  preview.hidden = false;
}
document.addEventListener("mouseover", show);
document.addEventListener("focusin", show);
document.addEventListener("click", show);
for (const end of ["mouseout", "focusout"]) {
  document.addEventListener(end, (event) => {
    if (event.target.closest?.("[data-men]")) preview.hidden = true;
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") preview.hidden = true;
  if (!event.target.matches?.("[role=button][data-men]") || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  show(event);
});

// Open and close all of a tree.
for (const button of document.querySelectorAll("[data-open]")) {
  button.addEventListener("click", () => {
    for (const part of document.querySelectorAll(".tree details")) part.open = button.dataset.open === "yes";
  });
}

// A board alone that can be turned.
for (const holder of document.querySelectorAll("[data-board]")) {
  holder.querySelector("[data-flip]")?.addEventListener("click", () => {
    turned = !turned;
    draw(holder.querySelector(".board"), holder.dataset.board, holder.dataset.mark, turned);
  });
}

// Games to step through.
for (const game of document.querySelectorAll("[data-game]")) {
  const positions = JSON.parse(game.querySelector("script").textContent);
  const board = game.querySelector(".viewer .board");
  const words = game.querySelector(".viewer output");
  const moves = [...game.querySelectorAll(".move")];
  let at = 0, flipped = false;
  const go = (ply) => {
    at = Math.max(0, Math.min(positions.length - 1, ply));
    const [men, last, text] = positions[at];
    draw(board, men, last, flipped);
    words.textContent = text;
    moves.forEach((move, index) => {
      if (index + 1 === at) move.setAttribute("aria-current", "true");
      else move.removeAttribute("aria-current");
    });
  };
  game.addEventListener("click", (event) => {
    const link = event.target.closest("[data-ply]");
    if (link) { event.preventDefault(); go(Number(link.dataset.ply)); }
    const step = event.target.closest("[data-step]")?.dataset.step;
    if (step === "first") go(0);
    if (step === "back") go(at - 1);
    if (step === "on") go(at + 1);
    if (step === "last") go(positions.length - 1);
    if (step === "flip") { flipped = !flipped; go(at); }
  });
  game.addEventListener("keydown", (event) => {
    if (event.target.closest("summary")) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in steps) { event.preventDefault(); go(at + steps[event.key]); }
    if (event.key === "Home") { event.preventDefault(); go(0); }
    if (event.key === "End") { event.preventDefault(); go(positions.length - 1); }
  });
}

// A print shows all that can be opened.
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
});
