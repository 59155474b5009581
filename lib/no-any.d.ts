// What TypeScript declares as `any`, and what only a check can tell. The product is checked with it (lib/tsconfig.json).

interface JSON {
  parse(text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown): unknown;
}

interface Response {
  json(): Promise<unknown>;
}
