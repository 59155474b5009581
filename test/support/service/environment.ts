/** Sets variables of the environment until the tests of the file are over: files share a process. */
export function setEnvironment(values: Readonly<Record<string, string>>): void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  beforeAll(() => void Object.assign(process.env, values));
  afterAll(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
}
