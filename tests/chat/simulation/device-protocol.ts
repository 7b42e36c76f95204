import type { CurrentUser } from '#shared/session/contract.ts';
import type { Network } from './browser-globals.ts';

/** The calls of the simulation to a device, with their answers. */
export interface DeviceCalls {
  /** Creates a new device of a user. */
  begin: { given: { user: CurrentUser; network: Network; skewMs: number }; answer: null };
  /** Kills the app and opens it again. */
  crash: { given: null; answer: null };
  setOnline: { given: boolean; answer: null };
  /** @returns false when the thread is not on the device */
  write: { given: { friend: string; text: string }; answer: boolean };
  type: { given: { friend: string }; answer: null };
  read: { given: { friend: string }; answer: null };
  block: { given: { friend: string }; answer: null };
  /** Returns the threads with these friends as the device shows them. */
  look: { given: { friends: string[] }; answer: View[] };
  /** Returns the threads once the server has saved everything and the outbox is empty, or null after a timeout. */
  rest: { given: { friends: string[] }; answer: View[] | null };
  /** Returns the ids of the documents stored on this device, and which of these texts are stored anywhere on it. */
  keeps: { given: { texts: string[] }; answer: { documents: string[]; texts: string[] } };
  end: { given: null; answer: null };
}

/** A thread as a device shows it, empty if there is none. */
export interface View {
  isHere: boolean;
  messages: { text: string; isOwn: boolean; delivery: string | null }[];
}

export interface Request {
  id: number;
  /** The number of the device in the process. */
  device: number;
  call: keyof DeviceCalls;
  given: unknown;
}

export interface Reply {
  id: number;
  answer?: unknown;
  error?: string;
}
