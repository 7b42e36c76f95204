/** A text that may be an email address, which breaks before its @ where it is too long for a line. */
export function EmailText({ children }: { children: string }) {
  const at = children.lastIndexOf('@');
  if (at < 0) return children;
  return (
    <span className="break-words">
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </span>
  );
}
