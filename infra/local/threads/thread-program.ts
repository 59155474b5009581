/** The text of a program for a thread: a thread that loads TypeScript by itself starts in a second and takes 50 MB more. */
export async function threadProgram(entry: string): Promise<string> {
  const { build, stop } = await import('esbuild'); // not needed where there are no threads
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'silent',
  });
  await stop(); // its process
  return outputFiles[0]?.text ?? '';
}
