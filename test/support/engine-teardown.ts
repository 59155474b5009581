export default function tearDown(): void {
  globalThis.engineProcess?.kill('SIGKILL');
}
