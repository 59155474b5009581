/**
 * Elements look as browsers show them where nothing says otherwise, since the readers' page is not known. A text stays
 * in its box, wherever its styles would put it.
 */
const STYLE = `
.paper {
  min-height: 14em;
  max-height: 70vh;
  padding: 12px 16px;
  overflow: auto;
  contain: layout paint;
  overflow-wrap: anywhere;
  cursor: text;
}
.paper.white { color-scheme: light; color: #14171f; background: #fff; }
.paper[contenteditable="false"] { cursor: default; }
.paper :where(h1, h2, h3, p, ul, ol, figure, fieldset, dl, dd, a) { all: revert; }
.paper > :first-child { margin-block-start: 0; }
.paper a { color: var(--accent-text); }
.paper img { max-width: 100%; min-width: 24px; min-height: 24px; border: 1px dashed var(--line-strong); }
.paper :where(td, th) { border: 1px solid var(--line-strong); padding: 4px 8px; }
.paper :where(table) { border-collapse: collapse; }
.paper pre { overflow: auto; padding: 8px 12px; background: var(--hover); }
.paper :where(code) { background: var(--hover); }
.text-tools { display: flex; flex-wrap: wrap; gap: 4px; }
.text-tools .button { min-width: 38px; padding: 4px 8px; }
.text-tools [aria-pressed="true"] { background: var(--accent-soft); color: var(--accent-text); }
.text-tools select { width: auto; }
.text-tools .panel { display: grid; gap: 10px; padding: 14px; min-width: min(300px, 90vw); }
`;

let sheet: CSSStyleSheet | undefined;

/** Adds the styles of the editor to the page; what is loaded later than the page has no sheet of its own there. */
export function showPaper(): void {
  if (sheet !== undefined) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets.push(sheet);
}
