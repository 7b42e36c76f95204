import { escapeHtml as escape, htmlPages } from '../html.ts';
import { SANDBOX_PEOPLE } from './sandbox-people.ts';

interface PickerSettings {
  action: string;
  product: string;
  /** The authorization request, which each choice repeats. */
  request: Record<string, string | undefined>;
  /** The invalid email address that was typed. */
  refused: string | null;
}

const LOOK = `
:root { --line: #7d776b; }
@media (prefers-color-scheme: dark) { :root { --line: #8b91a0; } }
body { min-height: 100vh; display: grid; place-items: center; }
main { width: 100%; max-width: 400px; margin: 0; background: var(--card); border-radius: 16px; padding: 24px; }
h1 { font-size: 1.375rem; margin: 0 0 4px; }
p { margin: 0 0 20px; color: var(--quiet); }
ul { list-style: none; margin: 0 0 24px; padding: 0; }
li + li { margin-top: 8px; }
a { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 8px 12px; border-radius: 12px;
  border: 1px solid var(--line); color: inherit; text-decoration: none; }
a span { display: grid; place-items: center; flex: none; width: 36px; height: 36px; border-radius: 50%;
  background: var(--accent); color: var(--on-accent); font-weight: 600; }
a small { display: block; }
a:hover { border-color: var(--accent); }
form { border: 0; padding: 0; margin: 0; }
label { display: block; font-weight: 600; margin-bottom: 4px; }
input { font: inherit; width: 100%; min-height: 48px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 12px;
  background: transparent; color: inherit; margin-bottom: 12px; }
input::placeholder { color: var(--quiet); opacity: 1; }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#refused { color: var(--ink); margin: 0 0 8px; }
`;

const { policy, page } = htmlPages(LOOK);

/** The Content-Security-Policy for `pickerPage`. */
export const PICKER_POLICY = policy;

/** Renders the account picker of the sandbox sign-in. */
export function pickerPage({ action, product, request, refused }: PickerSettings): string {
  const carried = Object.entries(request).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const people = SANDBOX_PEOPLE.map(({ email, given_name, name }) => {
    const query = new URLSearchParams([...carried, ['login_hint', email]]).toString();
    return `<li><a href="${escape(`${action}?${query}`)}"><span aria-hidden="true">${escape(given_name.charAt(0))}</span>
      <div>${escape(name)}<small>${escape(email)}</small></div></a></li>`;
  });
  const hidden = carried.map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  const error =
    refused === null
      ? ''
      : '<p id="refused" role="alert">Please enter an email address, such as alex@example.com.</p>';
  return page(
    `Choose an account · ${product}`,
    `<h1>Choose an account</h1>
<p>to continue to ${escape(product)}. This page simulates Google sign-in, so you don’t need a password.</p>
<ul>
${people.join('\n')}
</ul>
<form action="${escape(action)}" method="get">
${hidden.join('\n')}
<label for="email">Use another email address</label>
${error}
<input id="email" name="login_hint" type="email" required maxlength="320" autocomplete="email" placeholder="name@example.com"
 value="${escape(refused ?? '')}"${refused === null ? '' : ' aria-invalid="true" aria-describedby="refused"'}>
<button>Continue</button>
</form>`,
  );
}
