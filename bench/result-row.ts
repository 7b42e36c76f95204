/** A line of the table that `npm run bench` prints. */
export interface BenchRow {
  group: string;
  row: string;
  ours: string;
  rival?: string;
  ratio?: string;
  target?: string;
  /** Whether the target was met; null without a target. */
  ok: boolean | null;
}
