import type { Chart } from './report-state.ts';

/** The properties of a report that decide which charts can show it. */
export interface ReportShape {
  readonly windows: boolean;
  readonly dimensions: number; // 0 to 2
  readonly adds: boolean; // whether values can be stacked: counts can, means and rates cannot
}

/** The charts that can show a report, best first; none for a single number. */
export function chartsFor({ windows, dimensions, adds }: ReportShape): readonly Chart[] {
  if (windows && dimensions === 0) return ['line', 'bars'];
  if (windows && dimensions === 1) return adds ? ['stacked', 'line', 'heat'] : ['line', 'heat'];
  if (windows) return adds ? ['line', 'stacked'] : ['line'];
  if (dimensions === 2) return adds ? ['heat', 'stacked'] : ['heat'];
  return dimensions === 1 ? ['bars'] : [];
}

/** The chosen chart if it can show the report, else the best one. */
export function chartOf(shape: ReportShape, chosen: Chart | null): Chart | undefined {
  const possible = chartsFor(shape);
  return possible.find((chart) => chart === chosen) ?? possible[0];
}
