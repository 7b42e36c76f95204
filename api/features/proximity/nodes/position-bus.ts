import { z } from 'zod';
import type { Bus } from '#shared/bus/bus.ts';
import { positionReport, reportOrder } from '#shared/proximity/contract.ts';

const proximityMessage = z.discriminatedUnion('kind', [
  /** A position that a node accepted. Its times are in milliseconds of the wall clock. */
  z.object({
    kind: z.literal('position'),
    user_id: z.string(),
    /** The session of the device that sent it. */
    session: z.string(),
    report: positionReport,
    at: z.number(),
    next_update_seconds: z.number(),
  }),
  /** A user stopped sharing. Earlier reports of their tracker must be ignored. */
  z.object({ kind: z.literal('removal'), user_id: z.string(), order: reportOrder }),
  /** A node announced an encounter. */
  z.object({
    kind: z.literal('encounter'),
    user_ids: z.tuple([z.string(), z.string()]),
    at: z.number(),
  }),
]);
export type ProximityMessage = z.infer<typeof proximityMessage>;
export type PositionMessage = Extract<ProximityMessage, { kind: 'position' }>;

const subjectOf = (cell: string): string => `positions.${cell}`;

/** Publishes an event in a cell to the other nodes that follow it. */
export function publishToCell(bus: Bus, cell: string, message: ProximityMessage): void {
  bus.publish(subjectOf(cell), message);
}

/** Receives the events that other nodes publish in a cell. @returns a function that ends it */
export const subscribeToCell = (
  bus: Bus,
  cell: string,
  handle: (message: ProximityMessage) => void,
): (() => void) =>
  bus.subscribe(subjectOf(cell), (message) => handle(proximityMessage.parse(message)));
