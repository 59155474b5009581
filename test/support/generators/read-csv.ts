/** Parses a CSV (RFC 4180) into rows, including the header. Throws if a line does not end with CRLF. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (let at = 0; at < text.length; ) {
    const row: string[] = [];
    for (let more = true; more; ) {
      const [whole, quoted, plain = ''] = /"((?:[^"]|"")*)"|([^",\r\n]*)/y.exec(text.slice(at)) ?? [''];
      row.push(quoted?.replaceAll('""', '"') ?? plain);
      at += whole.length;
      more = text[at] === ',';
      if (more) at += 1;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no end of line at ${at} of ${text}`);
    at += 2;
    rows.push(row);
  }
  return rows;
}
