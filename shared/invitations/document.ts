import { z } from 'zod';
import { readText, text, type Text } from '../text.ts';
import { INVITATIONS_LISTED, INVITATION_CODE_LENGTH } from './rules.ts';

/**
 * An invitation in a contacts document, under its id. It has no address: what a document once had stays in its history.
 */
interface InvitationEntry {
  code: Text;
  created_at: Text;
  expires_at: Text;
  is_used: boolean;
  /** Whether the code was emailed; otherwise the inviter shares it. */
  is_emailed: boolean;
}

/** The invitations in a contacts document. Only the API writes them; what a code is good for is decided there. */
export interface ContactsInvitations {
  /** By id. Not there in contacts documents from before they had invitations. */
  invitations?: Record<string, InvitationEntry>;
}

const id = z.string().min(1).max(64);
const invitationFields = z.object({
  id,
  code: z.string().length(INVITATION_CODE_LENGTH),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  is_used: z.boolean(),
  is_emailed: z.boolean(),
});

/** An invitation as a contacts document has it. */
export type SyncedInvitation = z.output<typeof invitationFields>;

/** Named changes of a contacts document about invitations. They may arrive repeatedly, late and in any order. */
export const invitationChanges = {
  /** Adds an invitation, or marks it as used, which it stays. Only the newest ones are kept. */
  'invitation.set': {
    input: invitationFields,
    apply(contacts: ContactsInvitations, invitation: SyncedInvitation) {
      contacts.invitations ??= {};
      const { id: key, code, created_at, expires_at, is_used, is_emailed } = invitation;
      const known = contacts.invitations[key];
      if (known) {
        if (is_used && !known.is_used) known.is_used = true;
        return;
      }
      const newest = newestFirst(readInvitations(contacts) ?? []);
      if (newestFirst([...newest, invitation]).indexOf(invitation) >= INVITATIONS_LISTED) return;
      contacts.invitations[key] = {
        code: text(code),
        created_at: text(created_at),
        expires_at: text(expires_at),
        is_used,
        is_emailed,
      };
      for (const { id: oldest } of newest.slice(INVITATIONS_LISTED - 1))
        delete contacts.invitations[oldest];
    },
  },
  /** It expired long ago. */
  'invitation.remove': {
    input: z.object({ id }),
    apply(contacts: ContactsInvitations, invitation: { id: string }) {
      if (contacts.invitations?.[invitation.id]) delete contacts.invitations[invitation.id];
    },
  },
};

/** Sorts invitations as lists show them. */
export const newestFirst = <T extends { id: string; created_at: string }>(list: readonly T[]) =>
  list.toSorted((a, b) =>
    a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1,
  );

/**
 * Reads the invitations of a contacts document, newest first, without invalid entries.
 * @param doc an Automerge document or its plain value; untrusted
 * @returns null for a document that has had none yet, and that may be from before documents had invitations
 */
export function readInvitations(doc: unknown): SyncedInvitation[] | null {
  const { invitations } = (doc ?? {}) as { invitations?: Record<string, unknown> };
  if (!invitations) return null;
  const read = Object.entries(invitations).map(([key, entry]) => {
    const found = (entry ?? {}) as Partial<InvitationEntry>;
    const parsed = invitationFields.safeParse({
      ...found,
      id: key,
      code: readText(found.code, Infinity),
      created_at: readText(found.created_at, Infinity),
      expires_at: readText(found.expires_at, Infinity),
    });
    return parsed.success ? parsed.data : null;
  });
  return newestFirst(read.filter((invitation) => invitation !== null));
}
