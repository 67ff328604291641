import { fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** Numbers of fields in descriptor.proto, of which paths of SourceCodeInfo are made. */
const numbers = { message: 4, enum: 5, service: 6, member: 2 } as const;

type NamedElement = { name: string };

/**
 * The comments of a package, by the full name of what they stand before, for instance "scanaudit.v1.Scan.run_id".
 * Generated code has them for readers only; the API's description needs them at run time.
 * @param image FileDescriptorSet with source info, as `buf build` writes it
 */
export function commentsIn(image: Uint8Array, packageName: string): Record<string, string> {
  const { file } = fromBinary(FileDescriptorSetSchema, image);
  const found = file.filter((each) => each.package === packageName).flatMap(commentsOf);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function commentsOf(file: FileDescriptorProto): [name: string, comment: string][] {
  return (file.sourceCodeInfo?.location ?? []).flatMap(({ path, leadingComments }): [string, string][] => {
    const name = leadingComments.trim() === '' ? undefined : nameAt(file, path);
    return name === undefined ? [] : [[`${file.package}.${name}`, textOf(leadingComments)]];
  });
}

/** The name of a message, enum or service, or of one of its members; undefined for anything else. */
function nameAt(file: FileDescriptorProto, [kind, index = -1, member, memberIndex = -1, ...rest]: number[]) {
  if (rest.length > 0 || (member !== undefined && member !== numbers.member)) return undefined;
  const message = kind === numbers.message ? file.messageType[index] : undefined;
  const enumeration = kind === numbers.enum ? file.enumType[index] : undefined;
  const service = kind === numbers.service ? file.service[index] : undefined;
  const members: NamedElement[] = message?.field ?? enumeration?.value ?? service?.method ?? [];
  const owner = message ?? enumeration ?? service;
  if (!owner) return undefined;
  return member === undefined ? owner.name : `${owner.name}.${members[memberIndex]?.name}`;
}

const textOf = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
