import { capitalized } from '#shared/capitalized.ts';

interface SandboxPerson {
  email: string;
  given_name: string;
  name: string;
}

/** The accounts in the picker. */
export const SANDBOX_PEOPLE: readonly SandboxPerson[] = [
  { email: 'alex@example.com', given_name: 'Alex', name: 'Alex Rivera' },
  { email: 'sam@example.com', given_name: 'Sam', name: 'Sam Okafor' },
  { email: 'robin@example.com', given_name: 'Robin', name: 'Robin Lindqvist' },
  { email: 'admin@example.com', given_name: 'Ada', name: 'Ada Admin' },
];

/** Returns the sandbox account of any address, named after it unless listed. */
export function personOf(email: string): SandboxPerson {
  const known = SANDBOX_PEOPLE.find((person) => person.email === email);
  if (known) return known;
  const words = (email.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const name = words.map(capitalized).join(' ');
  return {
    email,
    given_name: words.length > 0 ? (name.split(' ')[0] ?? name) : email,
    name: name || email,
  };
}
