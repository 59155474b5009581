import { ImportFault } from '../formats/import-fault.ts';

/** Bounds on what a packed file may hold. They let real exports pass and stop files that are made to fill a machine. */
export const UNPACK_LIMITS = {
  entries: 10_000, // of an archive
  unpacked: 16_000_000_000, // bytes of a file, or of all files of an archive
  ratio: 250, // unpacked to packed bytes, once more than `free` are unpacked
  free: 64_000_000, // bytes that are unpacked whatever the ratio
  held: 128_000_000, // bytes of a packed file that must be held in memory
  strings: 128_000_000, // unpacked bytes of a workbook's parts beside its sheets, which are held: texts that sheets share, styles
  tags: 2_000_000, // tags and attributes of such a part, of which a text has four: 500,000 texts take 1 GB
  depth: 3, // packed files within packed files
  cell: 1_000_000, // characters of a workbook's cell
} as const;

/** Says that a file unpacks to more than any export holds. */
const bomb = (name: string): ImportFault =>
  new ImportFault(`${name} unpacks to far more than its size, as no export does: it is not read.`);

/** Throws if so many bytes cannot be the content of a real export that has `packed` bytes. */
export function checkRatio(name: string, packed: number, unpacked: number): void {
  if (unpacked > UNPACK_LIMITS.unpacked || (unpacked > UNPACK_LIMITS.free && unpacked > packed * UNPACK_LIMITS.ratio))
    throw bomb(name);
}
