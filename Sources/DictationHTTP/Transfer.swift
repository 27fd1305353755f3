import CCurl
import DictationSystem
import Foundation

/// One request in libcurl's hands. For the client's thread alone.
final class Transfer {
    let handle: UnsafeMutableRawPointer
    private let order: TransferOrder
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var form: OpaquePointer?

    private var head = HTTPHead(status: 0)
    /// libcurl accepts an incomplete head as complete.
    private var isHeadWhole = false
    private var isFirst = true
    /// The beginning of what a server says when it refuses.
    private var refusal: [UInt8] = []
    /// Thrown by the receiver.
    private var failure: (any Error)?
    /// The library writes the details of an error there: which proxy did not answer, what a certificate lacks.
    private let details: UnsafeMutablePointer<CChar>

    /// As much as a person reads of a server's excuse.
    private static let refusalLimit = 2_000

    /// - Throws: ``HTTPError/badAddress(_:reason:)``, ``HTTPError/tooSlow(address:limit:)``.
    init(_ order: TransferOrder) throws(HTTPError) {
        self.order = order
        let request = order.request
        let scheme = URLComponents(string: request.address)?.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw .badAddress(request.shownAddress, reason: "it does not begin with http:// or https://")
        }
        guard let handle = curl_easy_init() else {
            throw .badAddress(request.shownAddress, reason: "libcurl cannot start")
        }
        self.handle = handle
        details = .allocate(capacity: Int(CURL_ERROR_SIZE))
        details.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, details)
        ccurl_set_string(handle, CURLOPT_URL, request.address)
        // A secure address is never left for one that is not.
        let schemes = scheme == "https" ? "https" : "http,https"
        ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, schemes)
        ccurl_set_string(handle, CURLOPT_REDIR_PROTOCOLS_STR, schemes)
        // Signals belong to the program.
        ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // A name server that does not answer is asked in a thread of the library's own. Without this, the end of a request waits
        // for that thread, and with it every other request of the client. A library before 7.87 does not know the option.
        ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        if let host = URLComponents(string: request.address)?.host, Self.isThisMachine(host) {
            ccurl_set_string(handle, CURLOPT_NOPROXY, "*")
        }
        try setLimits()
        setHeaders()
        setBody()
        receive()
    }

    deinit {
        curl_easy_cleanup(handle)
        details.deallocate()
        curl_slist_free_all(headers)
        if let form { curl_mime_free(form) }
    }

    private static func isThisMachine(_ host: String) -> Bool {
        host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]"
    }

    private func setLimits() throws(HTTPError) {
        let limits = order.request.limits
        if let deadline = order.deadline {
            let left = Int(ContinuousClock.now.duration(to: deadline) / .milliseconds(1))
            // Zero would mean no limit.
            guard left > 0 else { throw tooSlow }
            ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, left)
        }
        ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limits.connecting / .milliseconds(1))))
        if let silence = limits.silence {
            ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
            ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(silence / .seconds(1))))
        }
    }

    private func setHeaders() {
        let request = order.request
        func add(_ name: String, _ value: String) {
            // A line break would begin another header.
            let line = "\(name): \(value)".filter { !$0.isNewline && $0 != "\0" }
            headers = curl_slist_append(headers, line)
        }
        for (name, value) in request.headers { add(name, value) }
        if let key = request.key { add("Authorization", "Bearer \(key.secret)") }
        if case .data(_, let type) = request.body { add("Content-Type", type) }
        if request.body != nil {
            // Without this, libcurl asks before it sends a long body, and waits a second if there is no answer.
            headers = curl_slist_append(headers, "Expect:")
        } else {
            ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
            ccurl_set_long(handle, CURLOPT_MAXREDIRS, 5)
        }
        ccurl_set_string(handle, CURLOPT_USERAGENT, "VoiceDictation")
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
    }

    private func setBody() {
        switch order.request.body {
        case .data(let data, _):
            ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(data.count))
            data.withUnsafeBytes { bytes in
                // An empty body has no address.
                _ =
                    bytes.baseAddress.map { ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0) }
                    ?? ccurl_set_string(handle, CURLOPT_COPYPOSTFIELDS, "")
            }
        case .form(let fields):
            form = curl_mime_init(handle)
            for field in fields {
                guard let part = curl_mime_addpart(form) else { continue }
                curl_mime_name(part, field.name)
                _ = field.content.withUnsafeBytes { bytes in
                    curl_mime_data(part, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
                }
                if let file = field.file {
                    curl_mime_filename(part, file.name)
                    curl_mime_type(part, file.type)
                }
            }
            ccurl_set_pointer(handle, CURLOPT_MIMEPOST, form.map { UnsafeRawPointer($0) })
        case nil:
            break
        }
    }

    /// The loop keeps this object for as long as the library has its address.
    private func receive() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, this)
        ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let length = size * count
            guard let bytes, let context else { return 0 }
            let line = UnsafeRawBufferPointer(start: bytes, count: length)
            Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                .takeHeader(String(decoding: line, as: UTF8.self))
            return length
        }
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, this)
        ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let length = size * count
            guard let bytes, let context else { return 0 }
            let isTaken = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                .takeBody(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
            // Another number than was offered ends the transfer.
            return isTaken ? length : (length == 0 ? 1 : 0)
        }
    }

    private func takeHeader(_ line: String) {
        let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
        if line.hasPrefix("HTTP/") {
            // Of another answer: one before was a redirection.
            head = HTTPHead(status: line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            isHeadWhole = false
        } else if line.isEmpty {
            isHeadWhole = true
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            head.headers[line[..<colon].lowercased()] = value
        }
    }

    private func takeBody(_ bytes: [UInt8]) -> Bool {
        guard head.isSuccess else {
            refusal += bytes.prefix(Self.refusalLimit - refusal.count)
            return true
        }
        do {
            try order.receive(head, bytes, isFirst)
            isFirst = false
            return true
        } catch {
            failure = error
            return false
        }
    }

    // MARK: - The end

    func result(_ code: CURLcode) -> Result<HTTPHead, any Error> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else { return .failure(error(code)) }
        guard isHeadWhole else {
            return .failure(HTTPError.brokenOff(address: address, reason: "its answer has no end"))
        }
        guard head.isSuccess else {
            let words = redirection ?? String(decoding: refusal, as: UTF8.self)
            return .failure(
                HTTPError.refused(
                    address: address, status: head.status,
                    reason: ServerMessage.oneLine(words, hiding: order.request.key)))
        }
        return .success(head)
    }

    /// Where the server redirects a request. Requests with a body go only where the user sends them.
    private var redirection: String? {
        guard (300..<400).contains(head.status), let place = head.headers["location"] else { return nil }
        return
            "it points to \(HTTPRequest.shown(place)), and nothing is sent there unless you name that address"
    }

    private var address: String { order.request.shownAddress }

    private var tooSlow: HTTPError {
        .tooSlow(address: address, limit: order.request.limits.whole ?? .zero)
    }

    private func error(_ code: CURLcode) -> HTTPError {
        let reason = reason(code)
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            if let deadline = order.deadline, .now >= deadline - .milliseconds(2) { return tooSlow }
            // Either of the other two limits, which the library does not distinguish.
            if head.status == 0, isConnecting {
                return .noConnection(address: address, limit: order.request.limits.connecting)
            }
            return .brokenOff(
                address: address,
                reason: "nothing came for \((order.request.limits.silence ?? .zero).inSeconds)")
        // The scheme is known to be right: this is an answer without a head.
        case CURLE_UNSUPPORTED_PROTOCOL where head.status == 0:
            return .notUnderstood(address: address, reason: "it does not speak HTTP")
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_TOO_MANY_REDIRECTS:
            return .badAddress(address, reason: reason)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION:
            return .unreachable(address: address, reason: reason)
        case CURLE_WEIRD_SERVER_REPLY:
            return .notUnderstood(address: address, reason: reason)
        default:
            return .brokenOff(address: address, reason: reason)
        }
    }

    private func reason(_ code: CURLcode) -> String {
        let known = String(cString: details)
        // The same error has the same words each time.
        return known.isEmpty
            ? String(cString: curl_easy_strerror(code)) : known.replacing(/\ after \d+ ms/, with: "")
    }

    private var isConnecting: Bool {
        var port = 0
        ccurl_get_long(handle, CURLINFO_PRIMARY_PORT, &port)
        return port == 0
    }
}
