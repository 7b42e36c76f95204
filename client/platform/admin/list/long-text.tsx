import { EmailText } from '../../ui/layout/email-text.tsx';

/** An email address, a code or an ID of a list: a table shows its beginning, and all of it on hover; a phone breaks it. */
export function LongText({ children, isCode = false }: { children: string; isCode?: boolean }) {
  return (
    <span
      title={children}
      className={`wrap-anywhere xl:block xl:max-w-52 xl:truncate ${isCode ? 'font-mono' : ''}`}
    >
      <EmailText>{children}</EmailText>
    </span>
  );
}
