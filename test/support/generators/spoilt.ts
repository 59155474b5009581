const HOSTILE = [
  ...['null', '""', '"\\u0000"', '"half \\ud800 character"', '"__proto__"', '[]', '{}', '[null]', 'true'],
  ...[
    '-1',
    '1.5',
    '1e308',
    '9007199254740993',
    '{"__proto__":{"id":1}}',
    '[[["Include","Labels",[{"id":"\\udfff"}]]]]',
  ],
];

/** JSON documents with a hostile value in place of each of its parts in turn. */
export function* spoilt(value: unknown): Generator<string> {
  yield* HOSTILE;
  if (typeof value !== 'object' || value === null) return;
  const parts = Object.entries(value).map(([name, part]) => ({ name, part, text: JSON.stringify(part) }));
  for (const { name, part } of parts) {
    for (const other of spoilt(part)) {
      const texts = parts.map((each) => (each.name === name ? other : each.text));
      if (Array.isArray(value)) yield `[${texts}]`;
      else yield `{${parts.map((each, at) => `${JSON.stringify(each.name)}:${texts[at]}`)}}`;
    }
  }
}
