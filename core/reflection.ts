import {
  createRegistry,
  type DescFile,
  type DescService,
  type MessageInitShape,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, type ServiceImpl } from '@connectrpc/connect';
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from '../proto/gen/grpc/reflection/v1/reflection_pb.ts';

type ReflectionAnswer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']>;

/** The standard gRPC server reflection, version 1: what tools such as grpcurl learn the contract from. */
export function reflectionService(services: readonly DescService[]): ServiceImpl<typeof ServerReflection> {
  const files = new Map<string, DescFile>();
  for (const { file } of services) addWithImports(file, files);
  const registry = createRegistry(...files.values());
  return {
    async *serverReflectionInfo(requests) {
      for await (const originalRequest of requests)
        yield {
          validHost: originalRequest.host,
          originalRequest,
          messageResponse: answer(originalRequest.messageRequest, { services, files, registry }),
        };
    },
  };
}

function addWithImports(file: DescFile, files: Map<string, DescFile>): void {
  const name = file.proto.name;
  if (files.has(name)) return;
  files.set(name, file);
  for (const dependency of file.dependencies) addWithImports(dependency, files);
}

type KnownServices = { services: readonly DescService[]; files: Map<string, DescFile>; registry: Registry };

function answer(request: ServerReflectionRequest['messageRequest'], known: KnownServices): ReflectionAnswer {
  switch (request.case) {
    case 'listServices':
      return {
        case: 'listServicesResponse',
        value: { service: known.services.map(({ typeName }) => ({ name: typeName })) },
      };
    case 'fileByFilename':
      return fileAnswer(known.files.get(request.value));
    case 'fileContainingSymbol':
      return fileAnswer(fileOfSymbol(request.value, known));
    case 'fileContainingExtension': {
      const { containingType, extensionNumber } = request.value;
      const message = known.registry.getMessage(containingType);
      return fileAnswer(message && known.registry.getExtensionFor(message, extensionNumber)?.file);
    }
    case 'allExtensionNumbersOfType': {
      const baseTypeName = request.value;
      if (!known.registry.getMessage(baseTypeName)) return notFound;
      const extensionNumber = [...known.registry]
        .filter((desc) => desc.kind === 'extension')
        .filter((desc) => desc.extendee.typeName === baseTypeName)
        .map((desc) => desc.number);
      return { case: 'allExtensionNumbersResponse', value: { baseTypeName, extensionNumber } };
    }
    default:
      return {
        case: 'errorResponse',
        value: { errorCode: Code.InvalidArgument, errorMessage: 'The request asks nothing.' },
      };
  }
}

/** A type, service or extension; or a method, field or enum value, whose last name part is dropped. */
function fileOfSymbol(symbol: string, { registry }: KnownServices): DescFile | undefined {
  const desc = registry.get(symbol);
  if (desc) return desc.file;
  const dot = symbol.lastIndexOf('.');
  const [parentName, name] = [symbol.slice(0, dot), symbol.slice(dot + 1)];
  const parent = registry.get(parentName);
  if (parent?.kind === 'service')
    return parent.methods.some((method) => method.name === name) ? parent.file : undefined;
  if (parent?.kind === 'message')
    return parent.members.some((member) => member.name === name) ? parent.file : undefined;
  if (parent?.kind === 'enum') return parent.values.some((value) => value.name === name) ? parent.file : undefined;
  return undefined;
}

const notFound: ReflectionAnswer = {
  case: 'errorResponse',
  value: { errorCode: Code.NotFound, errorMessage: 'The contract does not have it.' },
};

/** The file with all that it imports, so that one question is enough. */
function fileAnswer(file: DescFile | undefined): ReflectionAnswer {
  if (!file) return notFound;
  const wanted = new Map<string, DescFile>();
  addWithImports(file, wanted);
  const fileDescriptorProto = [...wanted.values()].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}
