import type { CurrentUser } from '#shared/session/contract.ts';
import type { Network } from './browser-globals.ts';

/** The calls of the simulation to a device, with their answers. */
export interface DeviceCalls {
  /** Creates a new device of a user. */
  begin: { given: { user: CurrentUser; network: Network; skewMs: number }; answer: null };
  /** Kills the app and opens it again. */
  crash: { given: null; answer: null };
  /** Kills the app; `start` opens it again. */
  kill: { given: null; answer: null };
  start: { given: null; answer: null };
  /** Loses the stored documents, or all of IndexedDB, also under an open app. */
  lose: { given: 'documents' | 'everything'; answer: null };
  /** Removes the journal of a device whose app is closed, as if an app without one had been used. */
  forgetJournal: { given: null; answer: null };
  /** Returns what is stored of a document, in base64. */
  readStored: { given: { documentId: string }; answer: string };
  /** Stores something in place of a document, while the app is closed. */
  writeStored: { given: { documentId: string; bytes: string }; answer: null };
  /** Ends the session other than by logout: stores what is unsent, and removes the rest. */
  endSession: { given: null; answer: null };
  /** Signs a user in on this device. */
  signIn: { given: { user: CurrentUser; cookie: string }; answer: null };
  /** Sets how long reading a stored document takes, in ms. */
  setReadMs: { given: number; answer: null };
  /** Sets how many times slower the processor is than usual. */
  setSlowdown: { given: number; answer: null };
  /** Lets no call of the API be answered for so long, in ms. */
  holdCalls: { given: number; answer: null };
  /** Damages a stored part of a document. The number from 0 up to 1 chooses it. */
  damage: { given: number; answer: null };
  /** Sets whether IndexedDB has no room for anything more. */
  setFull: { given: boolean; answer: null };
  setOnline: { given: boolean; answer: null };
  /** @returns false when the thread is not on the device */
  write: { given: { friend: string; text: string }; answer: boolean };
  /** Writes a message with a picture. @returns false when the thread is not on the device */
  writePhoto: { given: { friend: string; text: string }; answer: boolean };
  type: { given: { friend: string }; answer: null };
  /** Unsends the message of this text. @returns false when it is not shown as sent */
  unsend: { given: { friend: string; text: string }; answer: boolean };
  /** Edits the message of this text. @returns false when it is not shown as sent */
  edit: { given: { friend: string; text: string; to: string }; answer: boolean };
  /** Adds a dog with this name to the card. @returns false when the documents do not take it */
  addDog: { given: { name: string }; answer: boolean };
  /** Makes a named change of a document. @returns false when the documents do not take it */
  change: { given: { kind: 'card' | 'account'; name: string; input: unknown }; answer: boolean };
  /** Returns the plain values of the documents that are open. */
  own: { given: null; answer: { card: unknown; account: unknown } };
  draft: { given: { friend: string; text: string }; answer: boolean };
  /** Fills the account with a history, until there is room for this many operations. */
  fillAccount: { given: number; answer: null };
  /** Makes a change of the account that our server refuses, as a modified app does. @returns false while it is not open */
  changeRefused: { given: null; answer: boolean };
  /** Returns the friend's messages that are read by now. */
  read: { given: { friend: string }; answer: string[] };
  block: { given: { friend: string }; answer: null };
  /** Returns the threads with these friends as the device shows them. */
  look: { given: { friends: string[] }; answer: View[] };
  /**
   * Returns all that the screens claim; null while the app is closed.
   * @param given.isWhole also that of screens which a real browser would have to open
   */
  claims: { given: { friends: string[]; isWhole?: boolean }; answer: Claims | null };
  /** Returns the texts of all messages of friends that were ever on this device, whatever became of it. */
  seen: { given: null; answer: string[] };
  /** Returns the threads once the server has saved everything and the outbox is empty, or null after a timeout. */
  rest: { given: { friends: string[] }; answer: View[] | null };
  /** Returns the ids of the documents stored on this device, and which of these texts are stored anywhere on it. */
  keeps: { given: { texts: string[] }; answer: { documents: string[]; texts: string[] } };
  end: { given: null; answer: null };
}

/** A thread as a device shows it, empty if there is none. */
export interface View {
  isHere: boolean;
  /** `hasPhoto`: whether the server has the picture of a message; missing where devices don't tell. */
  messages: { text: string; isOwn: boolean; delivery: string | null; hasPhoto?: boolean }[];
  /** The texts of the friend's unread messages. */
  unread: string[];
}

/** What the screens of a device say. */
export interface Claims {
  threads: View[];
  /** The names of the dogs in the card; null while it is not open. */
  dogs: string[] | null;
  /** The words of the chip. */
  chip: { label: string; explanation: string };
  /** What a logout says that it would delete; missing where that isn't known without one. */
  unsaved?: string;
  /** Whether the screens say that something on this device was lost. */
  isLossSaid: boolean;
  /** The calls that the server refused, which the screens said. */
  refusedCalls: string[];
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
