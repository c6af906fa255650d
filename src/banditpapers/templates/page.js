"use strict";
// Filters, sorting, rows that open, addresses and the download. Texts of the audit become text nodes, never markup.
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const table = one("#table"), claims = all("#table > tbody"), form = one("#filters"), said = one("#said"), theme = one("#theme");
const fields = all("input, select", form), collator = new Intl.Collator("en", { numeric: true });
const audit = JSON.parse(one("#audit").textContent);
const words = new Map();  // the text of a claim, lower case: made when it is first searched
let order = "";  // the name of the column by which rows are sorted, after "-" if downwards

// ---- filter and search
function text(claim) {
  if (!words.has(claim)) words.set(claim, `${one(".row", claim).textContent} ${JSON.stringify(audit.claims[claim.id])}`.toLowerCase());
  return words.get(claim);
}

function filter() {
  const asked = fields.filter((field) => field.name !== "q" && field.value);
  const terms = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const claim of claims) {
    const fits = asked.every((field) => ` ${claim.dataset[field.name]} `.includes(` ${field.value} `));
    claim.hidden = !(fits && terms.every((term) => text(claim).includes(term)));
    count += !claim.hidden;
  }
  said.textContent = `${count} of ${claims.length} claims`;
  one("#none").hidden = count > 0;
}

// ---- sort: numbers by size, texts as people count (K = 200 before K = 1000), what is empty last
function key(claim, column) {
  const cell = one(`.row .${column}`, claim), number = one("data", cell);
  if (column === "verdict") return one(`[name=verdict] [value=${claim.dataset.verdict}]`, form).index;
  if (number) return number.value === "" ? null : Number(number.value);
  return cell.textContent.trim();
}

function sort() {
  const column = order.replace("-", ""), sign = order.startsWith("-") ? -1 : 1;
  const sized = (a, b) => sign * (typeof a === "number" ? a - b : collator.compare(a, b));
  const compare = ([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : sized(a, b));
  const keyed = claims.map((claim) => [column ? key(claim, column) : 0, claim]);
  table.append(...keyed.sort(compare).map(([, claim]) => claim));
  for (const button of all("[data-sort]", table)) {
    if (button.dataset.sort === column) button.parentElement.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    else button.parentElement.removeAttribute("aria-sort");
  }
}

// ---- what a row opens to: made when it is first opened
function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function interval(low, high) {
  if (low === high) return low === "–" ? low : "exactly";
  return `${low === "–" ? "−∞" : low} to ${high === "–" ? "∞" : high}`;
}

function build(claim) {
  const about = audit.claims[claim.id], exhibit = audit.exhibits[about.exhibit], several = about.readings.length > 1;
  const more = one("#details").content.firstElementChild.cloneNode(true), fill = (name, ...parts) => one(name, more).append(...parts);
  const heads = all(".inner thead th", more), link = (href, ...children) => make("a", { href }, ...children);
  for (const { reading, default: chosen, numbers, n, verdict, reason } of about.readings) {
    const [measured, low, high] = numbers.map((number) => number[1]);
    const row = make("tr", {},
      make("th", { scope: "row" }, reading || "as stated", ...(chosen && several ? [" ", make("i", {}, "default")] : [])),
      make("td", {}, measured), make("td", {}, interval(low, high)), make("td", {}, n),
      make("td", {}, make("b", { className: `v ${verdict.replaceAll(" ", "-")}` }, verdict)), make("td", {}, reason ?? about.reason));
    heads.forEach((head, column) => (row.cells[column].dataset.label = head.textContent));
    fill(".inner tbody", row);
  }
  if (!several) all(".inner tr > :last-child", more).forEach((cell) => cell.remove());
  if (!several || about.readings[0].reason) fill(".reason", about.reason);
  fill(".rule", make("b", {}, "Rule: "), about.rule, ...(about.family ? [make("b", {}, " Family: "), about.family] : []));
  fill(".command code", about.command);
  fill(".links", link(`#${claim.id}`, about.id), " · ", link(`#exhibit=${about.exhibit}`, `all claims measured by ${about.target}`),
    ...about.discussed.flatMap((number) => [" · ", link(`#difference-${number}`, "where it is discussed")]));
  if (exhibit?.picture) {
    const picture = { src: exhibit.picture, alt: exhibit.title, loading: "lazy", width: 240, height: 160, onerror() { this.parentElement.remove(); } };
    fill(".exhibit", link(exhibit.picture, make("img", picture)));
  }
  const files = Object.entries(exhibit?.files ?? {}).flatMap(([suffix, href]) => [" ", link(href, suffix)]);
  if (exhibit) fill(".exhibit", `${exhibit.title}:`, ...files);
  claim.append(more);
  return more;
}

function open(claim, wanted = true) {
  const more = one(".more", claim) ?? (wanted && build(claim));
  if (more) more.hidden = !wanted;
  one(".fold button", claim).setAttribute("aria-expanded", String(wanted));
}

// ---- addresses: #lp2s (a section), #lp2s-theorem1-attained (a claim), #paper=lp2s&verdict=deviates&sort=-measured (a state of the table)
function follow() {
  const address = decodeURIComponent(location.hash.slice(1)), claim = claims.find((row) => row.id === address);
  if (address.includes("=")) {
    const state = new URLSearchParams(location.hash.slice(1)), column = (state.get("sort") ?? "").replace("-", "");
    for (const field of fields) field.value = state.get(field.name) ?? "";
    order = all("[data-sort]", table).some((button) => button.dataset.sort === column) ? state.get("sort") : "";
    sort();
    filter();
    one("#claims").scrollIntoView();
  } else if (claim) {
    if (claim.hidden) fields.forEach((field) => (field.value = ""));
    if (claim.hidden) filter();
    open(claim);
    claim.scrollIntoView();
    one(".fold button", claim).focus({ preventScroll: true });
  }
}

function remember() {
  const state = new URLSearchParams(fields.filter((field) => field.value).map((field) => [field.name, field.value]));
  if (order) state.set("sort", order);
  history.replaceState(null, "", String(state) ? `#${state}` : "#claims");
}

// ---- the rows that are shown, in their order, one line per reading, as claims.csv has them
function csv() {
  const lines = [["paper", "id", "where", "statement", "kind", "reading", "paper_value", "measured", "low", "high", "verdict", "reason", "exhibit", "command"]];
  for (const claim of all("#table > tbody").filter((row) => !row.hidden)) {
    const { paper, kind, exhibit } = claim.dataset, about = audit.claims[claim.id], value = one(".value data", claim).value;
    const [where, statement] = [".where", ".statement"].map((name) => one(name, claim).textContent);
    for (const { reading, numbers, verdict, reason } of about.readings) {
      const measured = numbers.map((number) => number[0]);
      lines.push([paper, about.id, where, statement, kind, reading, value, ...measured, verdict, reason ?? about.reason, exhibit, about.command]);
    }
  }
  const field = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return lines.map((line) => `${line.map(field).join(",")}\n`).join("");
}

function download() {
  const link = make("a", { href: URL.createObjectURL(new Blob([csv()], { type: "text/csv" })), download: "claims-shown.csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    said.textContent = `Copied: ${code.textContent}`;
  } catch {  // where a page may not write to the clipboard, the command is selected for Ctrl-C
    getSelection().selectAllChildren(code);
    said.textContent = "Selected: press Ctrl-C";
  }
}

// ---- light and dark: the system's choice, unless the button was pressed
const dark = matchMedia("(prefers-color-scheme: dark)");
function paint(chosen) {
  try {  // a browser may keep nothing for a page
    if (chosen) localStorage.setItem("theme", chosen);
    chosen ??= localStorage.getItem("theme");
  } catch { }
  if (chosen) document.documentElement.dataset.theme = chosen;
  theme.setAttribute("aria-pressed", String((chosen ?? (dark.matches ? "dark" : "light")) === "dark"));
}

// ---- what people do
table.addEventListener("click", ({ target }) => {
  const button = target.closest("button"), claim = target.closest("#table > tbody");
  if (button?.dataset.sort) {
    order = order === button.dataset.sort ? `-${order}` : button.dataset.sort;
    sort();
    remember();
  } else if (button?.className === "copy") copy(one("code", button.parentElement));
  else if (claim && target.closest(".row") && getSelection().isCollapsed) open(claim, one(".more", claim)?.hidden ?? true);
});
form.addEventListener("input", () => { filter(); remember(); });
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(() => { order = ""; sort(); filter(); remember(); }));  // after the fields were emptied
one("#clear").addEventListener("click", () => form.reset());
one("#csv").addEventListener("click", download);
one("#unfold").addEventListener("click", ({ currentTarget }) => {
  const wanted = currentTarget.getAttribute("aria-pressed") !== "true";
  currentTarget.setAttribute("aria-pressed", String(wanted));
  claims.forEach((claim) => open(claim, wanted && !claim.hidden));
});
theme.addEventListener("click", () => paint(theme.getAttribute("aria-pressed") === "true" ? "light" : "dark"));
dark.addEventListener("change", () => paint());
addEventListener("beforeprint", () => claims.filter((claim) => !claim.hidden && !one(".more", claim)).forEach((claim) => (build(claim).hidden = true)));
addEventListener("hashchange", follow);
paint();
follow();
