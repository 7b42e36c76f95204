import { CircleAlert } from 'lucide-react';

/** The error message below a field, which refers to it by `aria-describedby={id}`; hidden while empty. */
export function FieldError({
  id,
  children,
}: {
  id: string;
  children: string | false | null | undefined;
}) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 font-bold text-poor empty:hidden">
      {children && (
        <>
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
          <span className="min-w-0 break-words">{children}</span>
        </>
      )}
    </p>
  );
}
