// SPDX-License-Identifier: GPL-3.0-or-later
// The graph, sorting and searching of the page of mprof export --format html. Nothing is fetched.
"use strict";
(() => {
  const ROW = 21; // pixels
  const data = JSON.parse(document.getElementById("data").textContent);
  const graph = document.getElementById("graph");
  const detail = document.getElementById("detail");
  const found = document.getElementById("found");
  const search = document.getElementById("search");
  const table = document.getElementById("table");
  const body = table.tBodies[0];

  // Nodes with their children, the widest first.
  const nodes = data.nodes.map(([parent, name, self, small]) => ({
    parent, self, small: small || 0, total: self, children: [], depth: 0,
    name: name < 0 ? "all" : data.names[name][0],
    file: name < 0 ? "" : data.names[name][1] || "",
    line: name < 0 ? 0 : data.names[name][2],
  }));
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    node.total += node.small;
    if (node.small)
      node.children.push({ parent: i, self: node.small, small: 0, total: node.small, children: [], name: "smaller ones", file: "", line: 0, plain: true });
    node.children.sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
    if (node.parent >= 0) {
      nodes[node.parent].total += node.total;
      nodes[node.parent].children.push(node);
    }
  }
  const root = nodes[0] || { parent: -1, self: 0, total: 0, children: [], name: "all", file: "", line: 0 };
  const place = (node, depth, up) => {
    // No recursion: stacks may be deep.
    const stack = [[node, depth, up]];
    while (stack.length) {
      const [n, d, u] = stack.pop();
      n.depth = d;
      n.up = u;
      n.children.forEach((child) => stack.push([child, d + 1, n]));
    }
  };
  place(root, 0, null);
  if (!data.callers)
    root.children.forEach((file) => { file.path = file.name; file.name = file.name.replace(/^.*\//, ""); });

  let top = root; // what fills the width
  let at = root; // what the keyboard is at
  let wanted = "";
  let boxes = new Map();

  const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(1) : "0.0") + " %";
  const matches = (node) => wanted !== "" && node !== root &&
    (node.name.toLowerCase().includes(wanted) || node.file.toLowerCase().includes(wanted));

  const say = (node) => {
    const parts = [node.name];
    if (node.file)
      parts.push(node.file + (node.line ? ":" + node.line : ""));
    else if (node.path && node.path !== node.name)
      parts.push(node.path);
    let text = node.total + " " + data.unit + ", " + percent(node.total, root.total);
    if (data.callers && node.children.length && node !== root)
      text += ", self " + node.self + ", " + percent(node.self, root.total);
    return parts.join("  \u2013  ") + "  \u2013  " + text;
  };

  // With callers, what is of one file has one colour; without, what is of one function.
  const hue = (text) => {
    let h = 7;
    for (let i = 0; i < text.length; i++)
      h = (h * 31 + text.charCodeAt(i)) >>> 0;
    return (h * 137) % 360;
  };
  const colour = (node) => {
    let n = node;
    if (data.callers)
      return hue(n.file || n.name);
    while (n.depth > 2)
      n = n.up;
    return hue(n.name);
  };
  const isPlain = (node) => node === root || node.plain || (!data.callers && node.depth === 1);

  const draw = () => {
    const width = graph.clientWidth || 1;
    const old = document.activeElement;
    const had = old && old.classList.contains("box");
    const list = [];
    let deepest = 0;
    boxes = new Map();
    for (let n = top.up; n; n = n.up)
      list.push([n, 0, 1, true]);
    const stack = [[top, 0, 1]];
    while (stack.length) {
      const [n, left, part] = stack.pop();
      list.push([n, left, part, false]);
      let next = left;
      n.children.forEach((child) => {
        const share = top.total ? child.total / top.total : 0;
        if (share * width >= 1.5)
          stack.push([child, next, share]);
        next += share;
      });
    }
    list.sort((a, b) => a[0].depth - b[0].depth || a[1] - b[1]);
    graph.textContent = "";
    list.forEach(([n, left, part, above]) => {
      const box = document.createElement("div");
      box.className = "box" + (above ? " above" : "") + (isPlain(n) ? " plain" : "") +
        (matches(n) ? " found" : "") + (part * width < 18 ? " narrow" : "");
      box.style.cssText = `left:${100 * left}%;width:${100 * part}%;top:${ROW * n.depth}px`;
      box.style.setProperty("--h", colour(n));
      box.setAttribute("role", "treeitem");
      box.setAttribute("aria-level", n.depth + 1);
      box.setAttribute("aria-label", say(n));
      if (n.children.length)
        box.setAttribute("aria-expanded", "true");
      box.setAttribute("aria-selected", n === at ? "true" : "false");
      box.tabIndex = -1;
      box.textContent = part * width < 18 ? "" : n.name;
      box.title = say(n);
      box.addEventListener("click", () => { at = n; zoom(n); });
      box.addEventListener("focus", () => { at = n; detail.textContent = say(n); });
      box.addEventListener("mouseenter", () => { detail.textContent = say(n); });
      graph.append(box);
      boxes.set(n, box);
      deepest = Math.max(deepest, n.depth);
    });
    graph.style.height = ROW * (deepest + 1) + "px";
    while (!boxes.has(at))
      at = at.up;
    boxes.get(at).tabIndex = 0;
    if (had)
      boxes.get(at).focus({ preventScroll: true });
  };

  const zoom = (node) => {
    top = node;
    draw();
    detail.textContent = say(node);
  };

  const go = (node) => {
    if (!node || !boxes.has(node))
      return;
    boxes.get(at).tabIndex = -1;
    boxes.get(at).setAttribute("aria-selected", "false");
    at = node;
    boxes.get(at).tabIndex = 0;
    boxes.get(at).setAttribute("aria-selected", "true");
    boxes.get(at).focus();
  };

  // The next box of the same level, under whichever parent.
  const beside = (step) => {
    const level = [...boxes.keys()].filter((n) => n.depth === at.depth);
    return level[level.indexOf(at) + step];
  };

  graph.addEventListener("keydown", (event) => {
    const moves = {
      ArrowDown: () => go(at.children.find((child) => boxes.has(child))),
      ArrowUp: () => go(at.up),
      ArrowLeft: () => go(beside(-1)),
      ArrowRight: () => go(beside(1)),
      Home: () => go(root),
      Enter: () => zoom(at),
      " ": () => zoom(at),
      Escape: () => { if (top.up) { at = top; zoom(top.up); } },
    };
    if (event.ctrlKey || event.altKey || event.metaKey || !moves[event.key])
      return;
    event.preventDefault();
    moves[event.key]();
  });

  // What was found, each hit once: below a box that is found, nothing more is added.
  const foundPart = () => {
    let sum = 0;
    const stack = [root];
    while (stack.length) {
      const n = stack.pop();
      if (matches(n))
        sum += n.total;
      else
        n.children.forEach((child) => stack.push(child));
    }
    return sum;
  };

  const look = () => {
    let rows = 0;
    wanted = search.value.trim().toLowerCase();
    for (const row of body.rows) {
      const where = row.cells[row.cells.length - 1];
      const hit = wanted === "" || row.textContent.toLowerCase().includes(wanted) ||
        where.title.toLowerCase().includes(wanted);
      row.hidden = !hit;
      rows += hit ? 1 : 0;
    }
    found.textContent = wanted === "" ? "" :
      `${rows} of ${body.rows.length} functions, ${percent(foundPart(), root.total)} in the graph`;
    draw();
  };
  search.addEventListener("input", look);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && search.value) {
      search.value = "";
      look();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    }
  });

  const heads = [...table.tHead.rows[0].cells];
  const order = (column) => {
    const head = heads[column];
    const number = head.dataset.kind === "n";
    const before = head.getAttribute("aria-sort");
    const down = before ? before !== "descending" : number;
    const value = (row) => number ? Number(row.cells[column].dataset.v) : row.cells[column].textContent;
    const rows = [...body.rows];
    rows.sort((a, b) => {
      const x = value(a), y = value(b);
      const sign = number ? x - y : x.localeCompare(y, "en", { numeric: true });
      return down ? -sign : sign;
    });
    heads.forEach((h) => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows);
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => order(column));
    head.append(button);
  });

  document.getElementById("tools").hidden = false;
  document.getElementById("graph-section").hidden = false;
  draw();
  detail.textContent = say(root);
  let timer = 0;
  const redraw = () => { clearTimeout(timer); timer = setTimeout(draw, 60); };
  window.addEventListener("resize", redraw);
  window.addEventListener("beforeprint", draw);
})();
