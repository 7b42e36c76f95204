import type { SegmentChanges } from './segment-changes.ts';

/** Writes the rows that are derived from documents, after each commit (`Projections`). */
export interface DerivedRows {
  /** @param operations the number of operations of the card, by which newer ones are recognized */
  card(documentId: string, userId: string, value: unknown, operations: number): void;
  sharing(userId: string, isEnabled: boolean, operations: number): void;
  segment(changes: SegmentChanges): void;
  /** Settles when everything so far is written. */
  settled(): Promise<void>;
}
