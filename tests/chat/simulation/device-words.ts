import type { CurrentUser } from '#shared/session/contract.ts';

/** What the simulation tells a device, and what the device answers. */
export interface DeviceCalls {
  /** A new device of somebody. @param address of its way to the sync server, `host:port` */
  begin: {
    given: { user: CurrentUser; api: string; address: string; cookie: string; skewMs: number };
    answer: null;
  };
  /** The app is killed, and opened again. */
  crash: { given: null; answer: null };
  setOnline: { given: boolean; answer: null };
  /** @returns false where nothing can be written: the thread is not here, or no longer */
  write: { given: { friend: string; text: string }; answer: boolean };
  type: { given: { friend: string }; answer: null };
  read: { given: { friend: string }; answer: null };
  block: { given: { friend: string }; answer: null };
  look: { given: { friend: string }; answer: View };
  /** Whether the server's disk has all that is here, and nothing waits to be sent. */
  isSettled: { given: null; answer: boolean };
  /** Ids of the documents that this device keeps anything of, and whether any text of these is kept anywhere on it. */
  keeps: { given: { texts: string[] }; answer: { documents: string[]; texts: string[] } };
  end: { given: null; answer: null };
}

/** A thread as a device shows it; nothing where there is none. */
export interface View {
  isHere: boolean;
  messages: { id: string; text: string; isOwn: boolean; delivery: string | null }[];
}

export interface Request {
  id: number;
  call: keyof DeviceCalls;
  given: unknown;
}

export interface Reply {
  id: number;
  answer?: unknown;
  error?: string;
}
