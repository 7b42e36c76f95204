import type { Socket } from 'node:net';
import { z } from 'zod';

/** What a process has read of a device's socket that it hands over with this message: an upgrade request, and what came behind it. */
export const handover = z.object({
  handover: z.number(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** In Base64. */
  head: z.string(),
});
export type Handover = z.output<typeof handover>;

/** The answer: whether the socket has an owner now. Answers come in the order of what they answer. */
export const handoverAnswer = z.object({ handover: z.number(), isTaken: z.boolean() });

/**
 * The system's socket below one of Node. It is what `net.Server` sends to the processes of a cluster: unlike a `Socket`, it isn't read by
 * processes that it only passes through, and its server doesn't wait for it when it closes.
 */
export interface SocketHandle {
  reading: boolean;
  readStop(): number;
  close(): void;
}

/** Returns null for a socket that is closed. */
export const handleOf = (socket: Socket): SocketHandle | null =>
  (socket as unknown as { _handle: SocketHandle | null })._handle;

/** `send` of a process takes it; Node's types don't know that. */
export const asSendHandle = (handle: SocketHandle): Socket => handle as unknown as Socket;
