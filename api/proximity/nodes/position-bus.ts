import type { Bus } from '#shared/bus/bus.ts';
import type { PositionReport, ReportOrder } from '#shared/proximity/contract.ts';

/** A position that a node accepted. Its times are in milliseconds of the wall clock. */
export interface PositionMessage {
  kind: 'position';
  user_id: string;
  /** The session of the device that sent it. */
  session: string;
  report: PositionReport;
  at: number;
  next_update_seconds: number;
}

/** A user stopped sharing; what their tracker sent before is to be ignored. */
interface RemovalMessage {
  kind: 'removal';
  user_id: string;
  order: ReportOrder;
}

/** A node announced an encounter. */
interface EncounterMessage {
  kind: 'encounter';
  user_ids: [string, string];
  at: number;
}

export type ProximityMessage = PositionMessage | RemovalMessage | EncounterMessage;

const subjectOf = (cell: string): string => `positions.${cell}`;

/** Publishes what happens in a cell to the other nodes that follow it. */
export function publishToCell(bus: Bus, cell: string, message: ProximityMessage): void {
  bus.publish(subjectOf(cell), message);
}

/** Receives what other nodes publish in a cell. @returns a function that ends it */
export const subscribeToCell = (
  bus: Bus,
  cell: string,
  handle: (message: ProximityMessage) => void,
): (() => void) => bus.subscribe(subjectOf(cell), (message) => handle(message as ProximityMessage));
