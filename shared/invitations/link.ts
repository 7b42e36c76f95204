/** The parameter that has the search code of an invitation’s link. */
const SEARCH_CODE = 'code';

/** Returns the search code in a query string; empty without one. */
export const searchCodeIn = (search: string): string =>
  new URLSearchParams(search).get(SEARCH_CODE) ?? '';

/** Returns the link of an invitation: it leads somebody new to the gate, with `ref`, and a member to the search, with the code. */
export const invitationLink = (
  origin: string,
  { id, invitation_code }: { id: string; invitation_code: string },
): string => `${origin}/?ref=${encodeURIComponent(id)}&${SEARCH_CODE}=${invitation_code}`;

/** Returns the screen that the start page’s query string leads a member to; null if it has no invitation. */
export function memberPathOf(search: string): string | null {
  const code = searchCodeIn(search);
  return code === '' ? null : `/social?tab=search&${SEARCH_CODE}=${encodeURIComponent(code)}`;
}

/** Returns the search code of a pasted link of an invitation, also of one from before links led newcomers to the gate. */
export function pastedCode(text: string, origin: string): string | null {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  return url.origin === origin ? searchCodeIn(url.search) || null : null;
}
