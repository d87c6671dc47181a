"use strict";
// Shows one part at a time. What a file's author didn't write never becomes markup here: the script only adds classes, and
// copies texts.
(() => {
  const root = document.documentElement;
  const parts = [...document.querySelectorAll(".part")];
  const [back, next, all] = document.querySelectorAll("nav button");
  const place = document.querySelector("nav output");
  let index = 0;

  const mark = (element, at) => {
    element.classList.toggle("now", at === index);
    element.classList.toggle("later", at > index);
  };

  const show = (wanted) => {
    index = Math.max(0, Math.min(wanted, parts.length - 1));
    parts.forEach(mark);
    for (const section of document.querySelectorAll("section")) section.classList.toggle("now", section.contains(parts[index]));
    const arrows = [...document.querySelectorAll("svg [data-part]")];
    for (const arrow of arrows) mark(arrow, Number(arrow.dataset.part));
    back.setAttribute("aria-disabled", index === 0);
    next.setAttribute("aria-disabled", index === parts.length - 1);
    const heading = document.getElementById(parts[index].getAttribute("aria-labelledby"));
    place.textContent = `${index + 1} of ${parts.length}`;
    const told = place.appendChild(document.createElement("span"));
    told.className = "unseen";
    told.textContent = `: ${heading.textContent}`;
    if (root.classList.contains("all")) return parts[index].scrollIntoView({ block: "nearest" });
    window.scrollTo(0, 0);
    arrows.find((arrow) => arrow.classList.contains("now"))?.scrollIntoView({ block: "nearest" });
  };

  const showAll = () => {
    const isAll = root.classList.toggle("all");
    all.setAttribute("aria-pressed", isAll);
    show(index);
  };

  back.addEventListener("click", () => show(index - 1));
  next.addEventListener("click", () => show(index + 1));
  all.addEventListener("click", showAll);
  document.addEventListener("click", (event) => {
    const arrow = event.target.closest("svg [data-part]");
    if (arrow) show(Number(arrow.dataset.part));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // A button has its own use of Space.
    if (event.key === " " && event.target.closest("button")) return;
    const step = { ArrowRight: 1, PageDown: 1, n: 1, " ": event.shiftKey ? -1 : 1, ArrowLeft: -1, PageUp: -1, b: -1 };
    if (event.key === "Home") show(0);
    else if (event.key === "End") show(parts.length - 1);
    else if (event.key === "a") showAll();
    else if (Object.hasOwn(step, event.key)) show(index + step[event.key]);
    else return;
    event.preventDefault();
  });
  root.classList.add("plays");
  show(0);
})();
