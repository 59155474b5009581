import { ImportFault } from '../formats/import-fault.ts';

/** How a packed file is known and unpacked. */
export type Packing = 'gzip' | 'zstd' | 'zip';

const PACKED: readonly (readonly [Packing, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]], // without any file
];

/** The packing of a file, by its first bytes. */
export const packingOf = (start: Uint8Array): Packing | undefined =>
  PACKED.find(([, magic]) => magic.every((byte, at) => start[at] === byte))?.[0];

const CSV = 'save or export it as CSV or .xlsx';

/** Files that hold no records, by how they begin: a text of ASCII, or a pattern of the beginning as text. */
const OTHERS: readonly (readonly [begin: string | RegExp, what: string, way: string])[] = [
  ['%PDF', 'is a PDF', 'export the table as CSV or .xlsx instead'],
  ['\xd0\xcf\x11\xe0', 'is an old or encrypted Excel workbook', 'open it, and save it as .xlsx without a password'],
  ['7z\xbc\xaf', 'is a 7z archive', 'unpack it first'],
  ['Rar!', 'is a RAR archive', 'unpack it first'],
  ['BZh', 'is packed by bzip2', 'unpack it first'],
  ['\xfd7zXZ', 'is packed by xz', 'unpack it first'],
  ['PAR1', 'is a Parquet file', 'export the table as CSV instead'],
  ['SQLite format 3', 'is a SQLite database', 'export the table as CSV instead'],
  ['{\\rtf', 'is a text document', CSV],
  ['\x89PNG', 'is a picture', 'export the table as CSV or .xlsx instead'],
  ['\xff\xd8\xff', 'is a picture', 'export the table as CSV or .xlsx instead'],
  ['GIF8', 'is a picture', 'export the table as CSV or .xlsx instead'],
  [/^\s*<(?:!doctype html|html|table|head|meta|body)\b/i, 'is a web page', `open it in a spreadsheet, and ${CSV}`],
  [/^\s*(?:<\?xml|<Workbook)\b/i, 'is XML', `open it in a spreadsheet, and ${CSV}`],
  [
    /^(?:[\w-]+: [^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){0,40}(?:MIME-Version|Received|Return-Path|Message-ID): /i,
    'is an e-mail',
    'save the file that is attached to it',
  ],
];

/** Throws an `ImportFault` that says what a file is and what to do, if it begins like none that has records. */
export function refuseOthers(name: string, start: Uint8Array): void {
  const text = Buffer.from(start.subarray(0, 4_096))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const found = OTHERS.find(([begin]) => (typeof begin === 'string' ? text.startsWith(begin) : begin.test(text)));
  if (found !== undefined) throw new ImportFault(`${name} ${found[1]}: ${found[2]}.`);
}
