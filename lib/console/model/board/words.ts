/** A piece of a text: an address that becomes a link, or plain. */
export interface TextPiece {
  readonly text: string;
  readonly href?: string; // http or https
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{|}]+/giu;
const AFTER = /[.,;:!?)\]]+$/; // ends the sentence and not the address

/** The pieces of a plain text. Only addresses of web pages become links; nothing in it is markup. */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(AFTER, '');
    if (!URL.canParse(address)) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: address, href: new URL(address).href });
    from = index + address.length;
  }
  return from < text.length ? [...pieces, { text: text.slice(from) }] : pieces;
}
