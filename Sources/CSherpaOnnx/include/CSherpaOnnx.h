// sherpa-onnx, loaded at run time.
#ifndef CSHERPA_ONNX_H
#define CSHERPA_ONNX_H

#include <stddef.h>

#include "c-api.h"

/// The version that c-api.h belongs to; no other has the same structures.
#define CSHERPA_VERSION "2.0.1"

/// The functions that are used. A further one is one line more.
#define CSHERPA_FUNCTIONS(F)                                                                                          \
    F(SherpaOnnxGetVersionStr)                                                                                        \
    F(SherpaOnnxCreateOnlineRecognizer)                                                                               \
    F(SherpaOnnxDestroyOnlineRecognizer)                                                                              \
    F(SherpaOnnxCreateOnlineStream)                                                                                   \
    F(SherpaOnnxCreateOnlineStreamWithHotwords)                                                                       \
    F(SherpaOnnxDestroyOnlineStream)                                                                                  \
    F(SherpaOnnxOnlineStreamAcceptWaveform)                                                                           \
    F(SherpaOnnxIsOnlineStreamReady)                                                                                  \
    F(SherpaOnnxDecodeOnlineStream)                                                                                   \
    F(SherpaOnnxGetOnlineStreamResult)                                                                                \
    F(SherpaOnnxDestroyOnlineRecognizerResult)                                                                        \
    F(SherpaOnnxOnlineStreamReset)                                                                                    \
    F(SherpaOnnxOnlineStreamInputFinished)                                                                            \
    F(SherpaOnnxOnlineStreamIsEndpoint)                                                                               \
    F(SherpaOnnxCreateOfflineRecognizer)                                                                              \
    F(SherpaOnnxDestroyOfflineRecognizer)                                                                             \
    F(SherpaOnnxCreateOfflineStream)                                                                                  \
    F(SherpaOnnxCreateOfflineStreamWithHotwords)                                                                      \
    F(SherpaOnnxDestroyOfflineStream)                                                                                 \
    F(SherpaOnnxAcceptWaveformOffline)                                                                                \
    F(SherpaOnnxDecodeOfflineStream)                                                                                  \
    F(SherpaOnnxGetOfflineStreamResult)                                                                               \
    F(SherpaOnnxDestroyOfflineRecognizerResult)                                                                       \
    F(SherpaOnnxCreateVoiceActivityDetector)                                                                          \
    F(SherpaOnnxDestroyVoiceActivityDetector)                                                                         \
    F(SherpaOnnxVoiceActivityDetectorAcceptWaveform)                                                                  \
    F(SherpaOnnxVoiceActivityDetectorEmpty)                                                                           \
    F(SherpaOnnxVoiceActivityDetectorDetected)                                                                        \
    F(SherpaOnnxVoiceActivityDetectorPop)                                                                             \
    F(SherpaOnnxVoiceActivityDetectorFront)                                                                           \
    F(SherpaOnnxVoiceActivityDetectorReset)                                                                           \
    F(SherpaOnnxVoiceActivityDetectorFlush)                                                                           \
    F(SherpaOnnxDestroySpeechSegment)                                                                                 \
    F(SherpaOnnxCreateOfflinePunctuation)                                                                             \
    F(SherpaOnnxDestroyOfflinePunctuation)                                                                            \
    F(SherpaOfflinePunctuationAddPunct)                                                                               \
    F(SherpaOfflinePunctuationFreeText)                                                                               \
    F(SherpaOnnxCreateOnlinePunctuation)                                                                              \
    F(SherpaOnnxDestroyOnlinePunctuation)                                                                             \
    F(SherpaOnnxOnlinePunctuationAddPunct)                                                                            \
    F(SherpaOnnxOnlinePunctuationFreeText)

#define CSHERPA_MEMBER(name) __typeof__(&name) _Nonnull name;
/// The library's functions, by their own names and types.
struct csherpa {
    CSHERPA_FUNCTIONS(CSHERPA_MEMBER)
};
#undef CSHERPA_MEMBER

/// Loads the library at `path`, for the life of the process.
///
/// Returns NULL where that is not possible, with the reason in `reason`: it cannot be loaded, lacks a function, or is
/// of another version.
const struct csherpa *_Nullable csherpa_load(const char *_Nonnull path, char *_Nonnull reason, size_t capacity);

#endif
