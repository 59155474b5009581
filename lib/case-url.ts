const LONGEST_CASE_URL = 1000; // UTF-16 units

/**
 * The address of a case in the help desk by its template, such as `https://help.example/tickets/{case}`. The id is
 * encoded, so that none ends its part of the address.
 */
export const caseAddress = (template: string, id: number | string): string =>
  template.replaceAll('{case}', () => encodeURIComponent(String(id).replaceAll(/\p{Cs}/gu, '\uFFFD')));

/**
 * Why a text is not the template of such an address, as a sentence; undefined if it is one. It becomes a link in pages
 * and workbooks, so a case's id must not lead to another host, nor to a script.
 */
export function caseUrlFault(text: string): string | undefined {
  if (text.length > LONGEST_CASE_URL) return `The address of a case has at most ${LONGEST_CASE_URL} characters.`;
  const [one, two] = [1, 2].map((id) => parsed(caseAddress(text, id)));
  const isSame = one !== undefined && one.origin === two?.origin && one.href !== two.href;
  const isPlain = isSame && /^https?:$/.test(one.protocol) && one.username === '' && one.password === '';
  if (isPlain && !/[\s\p{Cc}]/u.test(text)) return undefined;
  return 'It is no address of a case, such as https://help.example/tickets/{case}.';
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);
