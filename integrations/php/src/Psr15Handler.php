<?php
declare(strict_types=1);
namespace ClipKit\Host;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** The host in a framework with PSR-7 messages (Slim, Mezzio, Laminas, Symfony's bridge). */
final class Psr15Handler implements RequestHandlerInterface
{
    public function __construct(
        private readonly ClipHost $host,
        private readonly ResponseFactoryInterface $responses,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $answer = $this->host->handle(Request::fromPsr($request));
        $response = $this->responses->createResponse($answer->status);
        foreach ($answer->headers as $name => $value) $response = $response->withHeader($name, $value);
        if ($request->getMethod() === 'HEAD') return $response;
        return $response->withBody($answer->stream
            ? $this->streams->createStreamFromResource($answer->stream)
            : $this->streams->createStream($answer->body));
    }
}
