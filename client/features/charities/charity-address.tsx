import type { charityInput } from './charity-input.tsx';

/** The address of a charity's form. @param isOwn whether the browser may fill in what it knows of the typist */
export function CharityAddress({
  input,
  isOwn = false,
}: {
  input: ReturnType<typeof charityInput>;
  isOwn?: boolean;
}) {
  const known = (autoComplete: string) => (isOwn ? { autoComplete } : {});
  return (
    <>
      {input('address', 'Street', known('street-address'))}
      {input('city', 'City', known('address-level2'))}
      <div className="grid gap-4 sm:grid-cols-2">
        {input('state', 'State', known('address-level1'))}
        {input('zip_code', 'ZIP code', known('postal-code'))}
      </div>
    </>
  );
}
