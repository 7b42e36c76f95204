import { charityDraft, EMPTY_DRAFT, type CharityDraft } from './charity-form.ts';

const KEY = 'charity-application';

/** What was typed into the application in this tab: a reload, or a look at another page, loses none of it. */
export function readDraft(): CharityDraft {
  try {
    return charityDraft.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''));
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Keeps it; null forgets it. */
export function writeDraft(draft: CharityDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(KEY);
  } catch {
    // It lasts as long as the page does.
  }
}
