import { charityDraft, EMPTY_DRAFT, type CharityDraft } from './charity-form.ts';

const KEY = 'charity-application';

/** Returns this tab's draft of the application, which survives reloads and visits to other pages. */
export function readDraft(): CharityDraft {
  try {
    return charityDraft.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''));
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Stores the draft; null removes it. */
export function writeDraft(draft: CharityDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage, the draft lasts until the page is closed.
  }
}
