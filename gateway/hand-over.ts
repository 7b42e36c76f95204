import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { refuseSocket, WAITING_CONNECTIONS_MAX } from '#shared/server/connections.ts';
import {
  asSendHandle,
  handleOf,
  handoverAnswer,
  settleUpTo,
  type Handover,
} from '#shared/sync/socket-handover.ts';
import { unavailableUpgrade } from './unavailable.ts';

/** As long as balancers wait for a node that is silent. When many connect at once, the last ones wait longer. */
const SILENCE_MAX_MS = 5_000;

/**
 * Returns a function that hands devices' sockets over to the sync server, through the parent of both processes. Then no byte of them
 * passes through this process. A socket that nobody takes gets 503. Decision 275.
 */
export function handOverSockets(): (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
) => void {
  const waiting = new Map<number, (isTaken: boolean) => void>();
  let last = 0;
  let silence: NodeJS.Timeout | undefined;
  const settle = (id: number, isTaken: boolean) => {
    settleUpTo(waiting, id, isTaken);
    clearTimeout(silence);
    silence = undefined;
    if (waiting.size > 0) silence = setTimeout(() => settle(last, false), SILENCE_MAX_MS);
  };
  process.on('message', (message) => {
    const answer = handoverAnswer.safeParse(message).data;
    if (answer) settle(answer.handover, answer.isTaken);
  });
  return ({ method = '', url = '', headers }, socket, head) => {
    const handle = handleOf(socket);
    if (!handle) return;
    if (waiting.size >= WAITING_CONNECTIONS_MAX) return refuseSocket(socket, unavailableUpgrade);
    // What arrives from now on is for the sync server.
    handle.readStop();
    handle.reading = false;
    const id = ++last;
    waiting.set(id, (isTaken) => {
      // Closes only what this process has of it.
      if (isTaken) socket.destroy();
      else refuseSocket(socket, unavailableUpgrade);
    });
    silence ??= setTimeout(() => settle(last, false), SILENCE_MAX_MS);
    const read = { handover: id, method, url, headers, head: head.toString('base64') };
    process.send?.(read satisfies Unparsed, asSendHandle(handle), {}, (error) => {
      if (error) settle(id, false);
    });
  };
}

type Unparsed = Omit<Handover, 'headers'> & { headers: IncomingMessage['headers'] };
