import { IncomingMessage } from 'node:http';
import { Socket, type SocketConstructorOpts } from 'node:net';
import { handover, type SocketHandle } from '#shared/sync/socket-handover.ts';

/**
 * Takes the sockets of devices that the gateway handed over to this process, as if the upgrade request had been read here (decision 275).
 * @returns a function that refuses further ones
 */
export function takeSockets(
  upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void,
): () => void {
  let isClosed = false;
  process.on('message', (message, sent) => {
    const handle = sent as unknown as SocketHandle | undefined;
    const read = handover.safeParse(message).data;
    if (!read || !handle) return handle?.close();
    process.send?.({ handover: read.handover, isTaken: !isClosed }, undefined, {}, () => {});
    if (isClosed) return handle.close();
    // Node's types don't know `handle`, by which it makes the sockets that a server accepts.
    const socket = new Socket({ handle, readable: true, writable: true } as SocketConstructorOpts);
    const { method, url, headers, head } = read;
    const request = Object.assign(new IncomingMessage(socket), { method, url, headers });
    upgrade(request, socket, Buffer.from(head, 'base64'));
  });
  return () => {
    isClosed = true;
  };
}
