export default function tearDown(): void {
  globalThis.engine?.process.kill('SIGKILL');
}
