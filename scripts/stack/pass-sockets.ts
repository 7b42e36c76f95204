import { SentSockets } from '#shared/sync/sent-sockets.ts';
import { asSendHandle, handover, type SocketHandle } from '#shared/sync/socket-handover.ts';
import type { SupervisedProcess } from './supervised-process.ts';

/**
 * Passes sockets that one process hands over on to another one: processes have such a channel only to their parent. While the other one
 * isn't running, they are refused. Decision 275.
 */
export function passSockets(from: SupervisedProcess, to: SupervisedProcess): void {
  const sockets = new SentSockets((message, handle, done) =>
    to.send(message, asSendHandle(handle), done),
  );
  from.onMessage((message, sent, child) => {
    const handle = sent as SocketHandle | undefined;
    const { data: read } = handover.safeParse(message);
    // One that got lost is settled with the next one.
    if (!read || !handle) return handle?.close();
    const { handover: id, ...rest } = read;
    const settle = (isTaken: boolean) => {
      // It may have exited.
      if (child.connected) child.send({ handover: id, isTaken }, () => {});
    };
    sockets.add(rest, handle, settle, () => handle.close());
  });
  to.onMessage(sockets.onMessage);
  to.onChange(() => {
    if (to.pid === null) sockets.abandon();
  });
}
