/** The texts of exports, apart from others, as few visitors need them. */
export const sheetText = {
  other: { comma: 'CSV with commas', semicolon: 'CSV with semicolons and decimal commas' },
  board: 'Export (.xlsx)',
  none: 'There is nothing to export yet.',
};
