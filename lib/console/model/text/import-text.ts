/** The texts of a file's page that the first view does not need. */
export const importText = {
  another: 'Most lines cannot be read as this export. What its columns mean can be found in the file itself:',
  choose: 'Choose…',
  asUnknown: 'Read it as a file that nobody described',
} as const;
