import { type Engine, engineProgram, startEngineProgram } from '../../../infra/local/table/earlier-engine.ts';

export type { Engine };

/** Starts an engine that keeps its tables in memory; undefined if this platform has none. */
export async function startEngine(): Promise<Engine | undefined> {
  const program = engineProgram();
  return program === undefined ? undefined : startEngineProgram(program);
}
