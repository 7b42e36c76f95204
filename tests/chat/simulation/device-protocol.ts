import type { CurrentUser } from '#shared/session/contract.ts';
import type { Network } from './browser-globals.ts';

/** What the simulation tells a device, and what the device answers. */
export interface DeviceCalls {
  /** A new device of somebody. */
  begin: { given: { user: CurrentUser; network: Network; skewMs: number }; answer: null };
  /** The app is killed, and opened again. */
  crash: { given: null; answer: null };
  setOnline: { given: boolean; answer: null };
  /** @returns false where nothing can be written: the thread is not here, or no longer */
  write: { given: { friend: string; text: string }; answer: boolean };
  type: { given: { friend: string }; answer: null };
  read: { given: { friend: string }; answer: null };
  block: { given: { friend: string }; answer: null };
  /** The threads with these friends, as the device shows them. */
  look: { given: { friends: string[] }; answer: View[] };
  /** The same, as soon as the server's disk has all that is here, and nothing waits to be sent; or null after a while. */
  rest: { given: { friends: string[] }; answer: View[] | null };
  /** Ids of the documents that this device keeps anything of, and whether any text of these is kept anywhere on it. */
  keeps: { given: { texts: string[] }; answer: { documents: string[]; texts: string[] } };
  end: { given: null; answer: null };
}

/** A thread as a device shows it; nothing where there is none. */
export interface View {
  isHere: boolean;
  messages: { text: string; isOwn: boolean; delivery: string | null }[];
}

export interface Request {
  id: number;
  /** Which of the devices in the process. */
  device: number;
  call: keyof DeviceCalls;
  given: unknown;
}

export interface Reply {
  id: number;
  answer?: unknown;
  error?: string;
}
