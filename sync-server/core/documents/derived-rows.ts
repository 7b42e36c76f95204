import type { ProjectedAccount } from '#shared/account/projected-account.ts';
import type { RefusedProjections } from '../storage/refused-projections.ts';
import type { SegmentChanges } from './segment-changes.ts';

/** Writes the rows that are derived from documents, after each commit (`Projections`). */
export interface DerivedRows {
  /** The documents whose rows MongoDB refuses. */
  readonly refused: Pick<RefusedProjections, 'add' | 'repeatDue'>;
  /** @param operations the number of operations of the card, by which newer ones are recognized */
  card(documentId: string, userId: string, value: unknown, operations: number): void;
  account(documentId: string, userId: string, account: ProjectedAccount, operations: number): void;
  /** The same if the row has less: an earlier version changed the document. Called when it was opened. */
  accountOpened(
    documentId: string,
    userId: string,
    account: ProjectedAccount,
    operations: number,
  ): void;
  segment(changes: SegmentChanges): void;
  /** Settles when everything so far is written. */
  settled(): Promise<void>;
}
