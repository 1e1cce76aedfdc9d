// Draws the diagrams in the colours of the theme, and again when the reader changes it.
(() => {
  const drawn = [...document.querySelectorAll("pre.mermaid")].map((at) => [at, at.textContent]);
  if (!drawn.length) return;
  const dark = () => {
    const chosen = document.body.dataset.theme;
    return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  };
  let last;
  const draw = async () => {
    if (last === dark()) return;
    last = dark();
    for (const [at, text] of drawn) {
      at.textContent = text;
      at.removeAttribute("data-processed");
    }
    mermaid.initialize({ startOnLoad: false, theme: last ? "dark" : "neutral", fontFamily: "inherit" });
    await mermaid.run({ nodes: drawn.map(([at]) => at) });
  };
  draw();
  new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
