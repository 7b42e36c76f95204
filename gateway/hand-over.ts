import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { refuseSocket } from '#shared/server/connections.ts';
import { SentSockets } from '#shared/sync/sent-sockets.ts';
import { asSendHandle, handleOf, type Handover } from '#shared/sync/socket-handover.ts';
import { refusal } from './refusal.ts';
import { unavailableUpgrade } from './unavailable.ts';

/** Clients wait for the answer before they send frames (RFC 6455, 4.1). Those that don't may send so many bytes, which this process keeps. */
const HEAD_MAX_BYTES = 4_096;

/**
 * Returns a function that hands devices' sockets over to the sync server, through the parent of both processes. Then no byte of them
 * passes through this process. A socket that nobody takes gets 503. Decision 275.
 */
export function handOverSockets(): (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
) => void {
  const sockets = new SentSockets((message, handle, done) => {
    if (process.send) process.send(message, asSendHandle(handle), {}, done);
    else done(new Error('There is no parent'));
  });
  process.on('message', sockets.onMessage);
  return ({ method = '', url = '', headers }, socket, head) => {
    const handle = handleOf(socket);
    if (!handle) return;
    if (head.length > HEAD_MAX_BYTES) return refuseSocket(socket, refusal('400 Bad Request'));
    // What arrives from now on is for the sync server.
    handle.readStop();
    handle.reading = false;
    const read = { method, url, headers: headers as Handover['headers'] };
    sockets.add({ ...read, head: head.toString('base64') }, handle, (isTaken) => {
      // Closes only what this process has of it.
      if (isTaken) socket.destroy();
      else refuseSocket(socket, unavailableUpgrade);
    });
  };
}
