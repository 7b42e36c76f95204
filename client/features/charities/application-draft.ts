import { readStorage, writeStorage } from '../../platform/web-storage.ts';
import { charityDraft, EMPTY_DRAFT, type CharityDraft } from './charity-form.ts';

const KEY = 'charity-application';

/** Returns this tab's draft of the application, which survives reloads and visits to other pages. */
export function readDraft(): CharityDraft {
  return readStorage(charityDraft, KEY, 'sessionStorage') ?? EMPTY_DRAFT;
}

/** Stores the draft; null removes it. */
export function writeDraft(draft: CharityDraft | null): void {
  writeStorage(KEY, draft, 'sessionStorage');
}
