import { WAITING_CONNECTIONS_MAX } from '#shared/server/connections.ts';
import {
  asSendHandle,
  handover,
  handoverAnswer,
  settleUpTo,
  type SocketHandle,
} from '#shared/sync/socket-handover.ts';
import type { SupervisedProcess } from './supervised-process.ts';

/**
 * Passes sockets that one process hands over on to another one: processes have such a channel only to their parent. While the other one
 * isn't running, they are refused. Decision 275.
 */
export function passSockets(from: SupervisedProcess, to: SupervisedProcess): void {
  const waiting = new Map<number, (isTaken: boolean) => void>();
  let last = 0;
  from.onMessage((message, handle, child) => {
    const read = handover.safeParse(message).data;
    // A handle that got lost is settled with the next one.
    if (!read || !handle) return;
    const socket = handle as SocketHandle;
    const settle = (isTaken: boolean) => {
      socket.close();
      // It may have exited.
      if (child.connected) child.send({ handover: read.handover, isTaken }, () => {});
    };
    // The other one is frozen, and each of these keeps a file open.
    if (waiting.size >= WAITING_CONNECTIONS_MAX) return settle(false);
    const id = ++last;
    waiting.set(id, settle);
    to.send({ ...read, handover: id }, asSendHandle(socket), (error) => {
      if (error) settleUpTo(waiting, id, false);
    });
  });
  to.onMessage((message) => {
    const answer = handoverAnswer.safeParse(message).data;
    if (answer) settleUpTo(waiting, answer.handover, answer.isTaken);
  });
  to.onChange(() => {
    if (to.pid !== null) return;
    settleUpTo(waiting, last, false);
  });
}
